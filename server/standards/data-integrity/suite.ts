import type { KeyObject } from "node:crypto";
import type { KeyKind } from "../encoding/multikey";
import type { Unsigned } from "./proof";

/** A cryptosuite: how a document is hashed, and how the hash is signed. One file each, listed in suites.ts. */
export interface Suite {
  name: string;
  keyKinds: readonly KeyKind[];
  /** @throws Invalid; Unverifiable */
  hash(unsigned: Unsigned, key: KeyObject): Promise<Buffer>;
  /** Undefined for a suite that is only verified, never issued. */
  sign?(data: Buffer, privateKey: KeyObject): Buffer;
  verify(data: Buffer, signature: Uint8Array, publicKey: KeyObject): boolean;
}
