import type { KeyObject } from "node:crypto";
import { keyKindOf, type KeyKind } from "../encoding/multikey";
import { Unverifiable } from "../failure";

/** The signature algorithms of JWTs that are verified, by kind of key. Never `none` or a symmetric algorithm. */
const algorithms: Record<KeyKind, readonly string[]> = {
  ed25519: ["EdDSA", "Ed25519"],
  "P-256": ["ES256"],
  "P-384": ["ES384"],
  rsa: ["RS256"],
};

export const knownAlgorithms = Object.values(algorithms).flat();

/** The algorithms that a key may verify: the key decides, never the token. @throws Unverifiable */
export function algorithmsOf(key: KeyObject): string[] {
  const kind = keyKindOf(key);
  if (!kind) throw new Unverifiable("The issuer's key is of a kind that is not known here.");
  return [...algorithms[kind]];
}
