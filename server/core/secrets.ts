import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env";

/** A key of 32 bytes for one purpose, derived from the master secret (HKDF, RFC 5869). */
export function deriveKey(purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", env().BONAFIDE_SECRET, "bonafide", purpose, 32));
}

let restKey: Buffer | undefined;
const atRest = () => (restKey ??= deriveKey("at-rest"));

/** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. `bound` ties it to its place, so that it is of no use in another. */
export function encrypt(plain: string, bound: string): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", atRest(), nonce).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]));
}

/** @throws where the bytes were changed, or the master secret is another one. */
export function decrypt(sealed: Uint8Array, bound: string): string {
  const decipher = createDecipheriv("aes-256-gcm", atRest(), sealed.subarray(0, 12)).setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
}

/** How a token is stored: it has 128 bits of entropy or more, so a fast hash is enough. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
