import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { hostDidDocument, issuerDidDocument } from "@/server/issuers/did-document";
import { statusPurpose } from "@/server/issuers/status/purposes";
import { findByHost } from "@/server/issuers/domain/find-by-host";
import { readDomainStatusList } from "@/server/issuers/status/read-domain-list";
import { readStatusList } from "@/server/issuers/status/read-list";
import type { OutboundRequest, OutboundResult } from "@/server/outbound/request";

/**
 * The host of this service. Its documents are requested over https, whatever PUBLIC_URL says, because did:web supports
 * nothing else.
 */
export const ownHost = (): string => new URL(env().PUBLIC_URL).host;

/**
 * Answers a request for a DID document or a status list of this service from the database, as its public routes would.
 * So a credential of ours is verified without a request to ourselves, which the guarded client might refuse.
 *
 * @returns undefined for any other URL
 */
export async function ownDocument({ url }: OutboundRequest, now: Date): Promise<OutboundResult | undefined> {
  const { host, pathname } = new URL(url);
  if (host !== ownHost()) {
    if (pathname !== "/.well-known/did.json" || !(await findByHost(host))) return undefined;
    return answered("application/did+ld+json", async () => JSON.stringify(await hostDidDocument(host)));
  }
  const [, slug, document] = /^\/public\/issuers\/([^/]+)\/(did\.json)$/.exec(pathname) ?? [];
  if (document) return answered("application/did+ld+json", async () => JSON.stringify(await issuerDidDocument(slug!)));
  const [, issuer, name, domain] = /^\/public\/status\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(pathname) ?? [];
  const purpose = statusPurpose.safeParse(name);
  if (!purpose.success) return undefined;
  const read = () =>
    domain === undefined
      ? readStatusList(issuer!, purpose.data, now)
      : readDomainStatusList(issuer!, purpose.data, decodeURIComponent(domain), now);
  return answered("application/vc", async () => (await read()).document);
}

async function answered(type: string, read: () => Promise<string>): Promise<OutboundResult> {
  const rest = { truncated: false, address: null, durationMs: 0 };
  try {
    const body = new TextEncoder().encode(await read());
    return {
      ...rest,
      ok: true,
      status: 200,
      headers: { "content-type": type },
      body,
      errorClass: null,
      errorDetail: null,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return {
      ...rest,
      ok: false,
      status: error.status,
      headers: {},
      body: new Uint8Array(),
      errorClass: "http",
      errorDetail: error.message,
    };
  }
}
