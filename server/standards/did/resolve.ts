import { Invalid, Unverifiable } from "../failure";
import type { Surroundings } from "../surroundings";
import { isUrl } from "../vcdm/forms";
import { fetchKeys } from "./controlled-identifier";
import type { DidDocument } from "./did-document";
import { resolveDidJwk } from "./did-jwk";
import { resolveDidKey } from "./did-key";
import { resolveDidWeb } from "./did-web";

/** The DID methods that are resolved. To add one, write its file and list it here. */
const methods: Record<string, (did: string, surroundings: Surroundings) => Promise<DidDocument>> = {
  key: resolveDidKey,
  jwk: resolveDidJwk,
  web: resolveDidWeb,
};

/**
 * Finds the keys of an issuer or holder that is named by a DID or an https URL.
 * @throws Invalid if the name is malformed; Unverifiable if the method is not supported or the document not available
 */
export async function resolveKeys(id: string, surroundings: Surroundings): Promise<DidDocument> {
  if (/^https:\/\//i.test(id)) return fetchKeys(id, id, surroundings);
  const [, method] = /^did:([a-z0-9]+):[\w.:%-]+$/.exec(id) ?? [];
  if (!id.startsWith("did:") && isUrl(id))
    throw new Unverifiable(
      `The issuer is named neither by a DID nor by an https URL, but by ${JSON.stringify(id.slice(0, 80))}. Its keys cannot be looked up here.`,
    );
  if (method === undefined)
    throw new Invalid("The issuer is named neither by a DID nor by an https URL, so its keys cannot be found.");
  const resolve = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!resolve)
    throw new Unverifiable(
      `Issuers of the method did:${method} cannot be looked up here (did:web, did:key and did:jwk can).`,
    );
  return resolve(id, surroundings);
}

/** The controller of a key's URL: the DID of a DID URL, or an https URL without its fragment. */
export const controllerOf = (url: string): string => url.split(url.startsWith("did:") ? /[#?/]/ : "#", 1)[0]!;
