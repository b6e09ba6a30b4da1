/** A status list as it is served. */
export interface SignedList {
  /** With an embedded proof, as JSON. */
  document: string;
  /** The same as vc+jwt. */
  jwt: string;
}

/** How long verifiers may cache a list: `ttl` in the list, and max-age of the answer (contract section 9). */
export const listTtlMs = 300_000;

/** A list is signed again after a day, so that verifiers never get one that is about to expire. */
export const signedAgainMs = 24 * 3_600_000;

/** A signed list is valid for three days. */
export const listValidMs = 3 * signedAgainMs;

/** The media types in which a list is served; the first one is the default (contract section 9). */
export const statusListTypes = [
  "application/vc",
  "application/ld+json",
  "application/json",
  "application/vc+jwt",
] as const;
