import { env } from "@/server/core/env";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import { outboundRequest } from "@/server/outbound/request";
import { fetchIssuerRegistry, type IssuerRegistry } from "@/server/standards/issuer-registry";

/** The statement of a configured registry about an issuer. */
export interface Listing {
  /** The name of the registry, as the operator configured it. */
  name: string;
  status: "listed" | "not_listed" | "unavailable";
  /** Under which name the registry lists the issuer; null unless it does. */
  issuerName: string | null;
  /** When the registry was read; null while no copy of it can be used. */
  readAt: Date | null;
}

/** A copy that is older is refreshed in the background, and is used meanwhile. */
const refreshedMs = 60 * 60_000;
/** A copy that could not be refreshed is no longer used at this age. */
const usableMs = 24 * 60 * 60_000;
/** After a failure, the registry is not requested for this long. */
const retryMs = 60_000;

interface Kept {
  copy?: { issuers: IssuerRegistry; readAt: Date };
  triedAt: Date;
  /** The first loading of the registry. Later ones block nobody. */
  first: Promise<void>;
}

const { kept } = processState("issuer registries", () => ({ kept: new Map<string, Kept>() }));

/**
 * Looks an issuer up in the registries that the operator configured (ISSUER_REGISTRIES), in order. Copies are kept in
 * memory: only the first look-up after a start waits for the network, for up to 5 seconds.
 *
 * @param dids the DIDs of one issuer, which may have several
 */
export function listingsOf(dids: readonly string[], now: Date): Promise<Listing[]> {
  return Promise.all(env().ISSUER_REGISTRIES.map((registry) => lookUp(registry, dids, now)));
}

async function lookUp(
  { name, url }: { name: string; url: string },
  dids: readonly string[],
  now: Date,
): Promise<Listing> {
  const { copy } = await copyOf(url, now);
  if (!copy || now.getTime() - copy.readAt.getTime() > usableMs)
    return { name, status: "unavailable", issuerName: null, readAt: null };
  const did = dids.find((each) => copy.issuers.has(each));
  const issuerName = did === undefined ? null : copy.issuers.get(did)!;
  return { name, status: issuerName === null ? "not_listed" : "listed", issuerName, readAt: copy.readAt };
}

async function copyOf(url: string, now: Date): Promise<Kept> {
  let known = kept.get(url);
  if (!known) {
    known = { triedAt: now, first: Promise.resolve() };
    kept.set(url, known);
    known.first = read(url, known, now);
  } else if (isDue(known, now)) {
    known.triedAt = now;
    void read(url, known, now);
  }
  await known.first;
  return known;
}

const isDue = ({ copy, triedAt }: Kept, now: Date): boolean =>
  now.getTime() - triedAt.getTime() >= retryMs && (!copy || now.getTime() - copy.readAt.getTime() >= refreshedMs);

/** Loads a registry and replaces its copy. A failure is logged, and keeps the earlier copy. */
async function read(url: string, into: Kept, now: Date): Promise<void> {
  try {
    into.copy = { issuers: await fetchIssuerRegistry(url, { now, request: outboundRequest }), readAt: now };
  } catch (error) {
    log().warn({ url, err: error }, "an issuer registry could not be read");
  }
}
