import { BoundedCache } from "../bounded-cache";
import { fetchDocument } from "../fetch-document";
import { Unverifiable } from "../failure";
import { isObject, type Json } from "../json";
import type { Surroundings } from "../surroundings";
import type { DidDocument } from "./did-document";

const maxBytes = 256 * 1024;
/** A key that its owner withdrew is refused after this time at the latest. */
const keptMs = 60_000;
/** An issuer's https URL may be any address, and hosts serve what their users upload as text or as it comes. */
const json = /^application\/(?:[\w.+-]+\+)?(?:json|cid)\s*(?:;|$)/i;
const cache = new BoundedCache<DidDocument>(500, keptMs);

/**
 * Fetches a controlled identifier document, which lists the keys of whoever owns its address: that of a did:web, or of
 * an issuer that is named by an https URL (Controlled Identifiers 1.0, section 2). Kept for a minute; failures are not
 * kept.
 *
 * @throws Unverifiable where it cannot be fetched or is of somebody else
 */
export function fetchKeys(id: string, url: string, surroundings: Surroundings): Promise<DidDocument> {
  return cache.get(`${id} ${url}`, surroundings.now, async () => {
    const what = "The document with the issuer's keys";
    const document = read(
      await fetchDocument(
        url,
        {
          accept:
            "application/did+json, application/did+ld+json, application/cid, application/ld+json, application/json",
          maxBytes,
          what,
          ...(id === url && { types: json }),
        },
        surroundings,
      ),
    );
    if (!isObject(document) || document["id"] !== id) throw new Unverifiable(`${what} at ${url} is not that of ${id}.`);
    return document as DidDocument;
  });
}

function read(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
