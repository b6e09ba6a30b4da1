import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";

/** The kinds of keys with which an issuer signs. To add one, add how to make its key pair. */
export const keyKinds = {
  /** For Data Integrity proofs (`eddsa-rdfc-2022`) and JWTs (`EdDSA`). */
  ed25519: () => generateKeyPairSync("ed25519"),
} satisfies Record<string, () => KeyPairKeyObjectResult>;

export type IssuerKeyKind = keyof typeof keyKinds;
export const keyKindNames = Object.keys(keyKinds) as [IssuerKeyKind];
