import type { KeyObject } from "node:crypto";
import { readMultikey, writeMultikey } from "../encoding/multikey";
import type { DidDocument } from "./did-document";

/** The did:key of a public key (did:key 0.9). */
export const didKeyOf = (key: KeyObject): string => `did:key:${writeMultikey(key)}`;

/** The one verification method of a did:key. */
export const didKeyMethod = (did: string): string => `${did}#${did.slice("did:key:".length)}`;

/**
 * Resolves a did:key, which contains its key. No network is needed.
 * @throws Invalid
 */
export function resolveDidKey(did: string): Promise<DidDocument> {
  const multikey = did.slice("did:key:".length);
  readMultikey(multikey);
  const method = didKeyMethod(did);
  return Promise.resolve({
    id: did,
    verificationMethod: [{ id: method, type: "Multikey", controller: did, publicKeyMultibase: multikey }],
    assertionMethod: [method],
    authentication: [method],
  });
}
