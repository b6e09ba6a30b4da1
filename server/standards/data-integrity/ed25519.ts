import { sign, verify, type KeyObject } from "node:crypto";

/** Signs bytes with Ed25519 (RFC 8032). */
export const signEd25519 = (data: Buffer, key: KeyObject): Buffer => sign(null, data, key);

export const verifyEd25519 = (data: Buffer, signature: Uint8Array, key: KeyObject): boolean =>
  signature.length === 64 && verify(null, data, key, signature);
