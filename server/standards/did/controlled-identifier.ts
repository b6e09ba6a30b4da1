import { BoundedCache } from "../bounded-cache";
import { fetchDocument } from "../fetch-document";
import { Unverifiable } from "../failure";
import { isObject, type Json } from "../json";
import type { Surroundings } from "../surroundings";
import type { DidDocument } from "./did-document";

const maxBytes = 256 * 1024;
/** How long a document is cached, and so the longest time that a withdrawn key is still accepted. */
const keptMs = 60_000;
/** The accepted content types. Hosts serve uploads of their users as other types, so an upload is no key document. */
const json = /^application\/(?:[\w.+-]+\+)?(?:json|cid)\s*(?:;|$)/i;
const cache = new BoundedCache<DidDocument>(500, keptMs);

/**
 * Fetches a controlled identifier document, which lists the keys of the owner of its address (Controlled Identifiers
 * 1.0, section 2): the document of a did:web, or of an issuer that is named by an https URL. Cached for a minute;
 * failures and own documents are not cached.
 *
 * @throws Unverifiable if it cannot be fetched or names another id
 */
export function fetchKeys(id: string, url: string, surroundings: Surroundings): Promise<DidDocument> {
  const load = async () => {
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
  };
  return surroundings.isOwn?.(url) ? load() : cache.get(`${id} ${url}`, surroundings.now, load);
}

function read(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
