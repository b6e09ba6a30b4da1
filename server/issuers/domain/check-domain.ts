import { fetchDocument } from "@/server/standards/fetch-document";
import { Unverifiable } from "@/server/standards/failure";
import { listOf, isObject, type Json } from "@/server/standards/json";
import type { Surroundings } from "@/server/standards/surroundings";
import { domainDid, domainDocumentUrl, verificationMethodOf } from "../did";

/** The DNS name of the proof, and the content of its TXT record. */
export const dnsProof = ({ domain, challenge }: { domain: string; challenge: string }) => ({
  dnsName: `_bonafide-issuer.${domain.replace(/:\d+$/, "")}`,
  dnsValue: `bonafide-issuer=${challenge}`,
});

interface Checked {
  domain: string;
  challenge: string;
  /** The signing key as multikey, which the document at the domain must list. */
  publicKey: string;
}

/**
 * Checks that a domain belongs to the organisation, by a TXT record, and that it serves the organisation's DID
 * document. Both are needed: if somebody points a domain here before claiming it, another organisation must not be able
 * to claim it.
 *
 * @returns what is wrong and what to do; null if nothing is wrong
 */
export async function checkDomain(
  { domain, challenge, publicKey }: Checked,
  { txtRecords, ...surroundings }: Surroundings & { txtRecords(name: string): Promise<string[]> },
): Promise<string | null> {
  const { dnsName, dnsValue } = dnsProof({ domain, challenge });
  if (!(await txtRecords(dnsName)).includes(dnsValue))
    return `The DNS has no TXT record of ${dnsName} with ${dnsValue}. Add it; a new record can take an hour to be seen.`;
  const url = domainDocumentUrl(domain);
  try {
    const wanted = {
      accept: "application/did+ld+json, application/json",
      maxBytes: 256 * 1024,
      what: "The DID document",
    };
    const text = await fetchDocument(`${url}?challenge=${challenge}`, wanted, surroundings);
    return isOurs(text, domain, publicKey)
      ? null
      : `${url} serves another document. Let the domain point to this service, or let your web server pass this path on to it with the Host header as it came.`;
  } catch (error) {
    if (!(error instanceof Unverifiable)) throw error;
    return `${error.message} It is expected at ${url}: let the domain point to this service, or let your web server pass this path on to it with the Host header as it came.`;
  }
}

function isOurs(text: string, domain: string, publicKey: string): boolean {
  const did = domainDid(domain);
  const document = parsed(text);
  return (
    isObject(document) &&
    document["id"] === did &&
    listOf(document["assertionMethod"]).includes(verificationMethodOf(did, publicKey))
  );
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
