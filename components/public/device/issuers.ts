import type { IssuerProfile } from "@/server/issuers/profile";

/** The data of an issuer on this device: its keys and both lists, from the same moment. */
export interface KeptIssuer extends Pick<IssuerProfile, "slug" | "name" | "nameVerified" | "keys"> {
  /** When it was requested, by this device's clock. The lists contain every change before that time. */
  keptAt: string;
  lists: Record<Purpose, KeptList>;
}

export interface KeptList {
  /** The end of its validity. */
  validUntil: string;
  /** "u", followed by the bits as gzip in base64url. */
  encodedList: string;
}

export type Purpose = "revocation" | "suspension";

const name = "bonafide-issuers";
const pathOf = (slug: string) => `/verify/issuers/${encodeURIComponent(slug)}`;
const open = () => caches.open(name);

export async function keptIssuer(slug: string): Promise<KeptIssuer | undefined> {
  const kept = await (await open()).match(pathOf(slug));
  return kept && ((await kept.json()) as KeptIssuer);
}

/** Returns all known issuers, by name. */
export async function keptIssuers(): Promise<KeptIssuer[]> {
  const kept = await open();
  const answers = await Promise.all((await kept.keys()).map((request) => kept.match(request)));
  const issuers = await Promise.all(answers.flatMap((answer) => (answer ? [answer.json()] : [])));
  return (issuers as KeptIssuer[]).toSorted((a, b) => a.name.localeCompare(b.name));
}

export async function forgetIssuer(slug: string): Promise<void> {
  await (await open()).delete(pathOf(slug));
}

/**
 * Requests an issuer's keys and lists from the service, and stores all of them or none.
 *
 * @throws UnknownIssuer; any error of fetch
 */
export async function keepIssuer(slug: string): Promise<KeptIssuer> {
  const keptAt = new Date().toISOString();
  const of = `/public/issuers/${encodeURIComponent(slug)}`;
  const [profile, revocation, suspension] = await Promise.all([
    ask(of) as Promise<IssuerProfile>,
    listOf(slug, "revocation"),
    listOf(slug, "suspension"),
  ]);
  const issuer: KeptIssuer = {
    slug: profile.slug,
    name: profile.name,
    nameVerified: profile.nameVerified,
    keys: profile.keys,
    keptAt,
    lists: { revocation, suspension },
  };
  await (await open()).put(pathOf(slug), Response.json(issuer));
  return issuer;
}

/** The service has no issuer with this name. */
export class UnknownIssuer extends Error {}

async function listOf(slug: string, purpose: Purpose): Promise<KeptList> {
  const list = (await ask(`/public/status/${encodeURIComponent(slug)}/${purpose}`)) as {
    validUntil: string;
    credentialSubject: { encodedList: string };
  };
  return { validUntil: list.validUntil, encodedList: list.credentialSubject.encodedList };
}

const patienceMs = 20_000;

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(path, { cache: "no-cache", signal: AbortSignal.timeout(patienceMs) });
  if (answer.status === 404) throw new UnknownIssuer();
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return answer.json();
}
