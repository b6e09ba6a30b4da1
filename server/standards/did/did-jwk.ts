import { Invalid } from "../failure";
import { isObject, type Json } from "../json";
import { readJwk, type DidDocument } from "./did-document";

/**
 * Resolves a did:jwk, which contains its key. No network is needed.
 * @throws Invalid
 */
export function resolveDidJwk(did: string): Promise<DidDocument> {
  const jwk = jwkIn(did.slice("did:jwk:".length));
  if (!isObject(jwk)) throw new Invalid("The issuer's did:jwk does not hold a JWK.");
  readJwk(jwk);
  const method = `${did}#0`;
  return Promise.resolve({
    id: did,
    verificationMethod: [{ id: method, type: "JsonWebKey", controller: did, publicKeyJwk: jwk }],
    assertionMethod: [method],
    authentication: [method],
  });
}

function jwkIn(encoded: string): Json {
  try {
    return JSON.parse(Buffer.from(encoded, "base64url").toString()) as Json;
  } catch {
    return null;
  }
}
