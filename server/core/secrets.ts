import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { env } from "./env";

/** A master secret and its id. */
export interface Master {
  secret: string;
  /** 4 bytes in each ciphertext, to tell which master secret it needs. */
  id: Buffer;
}

const derive = (secret: string, purpose: string, length = 32): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "bonafide", purpose, length));

export const masterOf = (secret: string): Master => ({ secret, id: derive(secret, "master-id", 4) });

/**
 * A fingerprint that distinguishes master secrets without revealing them: 16 bytes of HKDF as hex. At each start it is
 * compared with the one in the database.
 */
export const fingerprintOf = (secret: string): string => derive(secret, "check-value", 16).toString("hex");

let configured: Master[] | undefined;

/** The current master secret, then the previous one if BONAFIDE_PREVIOUS_SECRET is set. */
export function masters(): Master[] {
  return (configured ??= [env().BONAFIDE_SECRET, env().BONAFIDE_PREVIOUS_SECRET]
    .filter((secret) => secret !== undefined)
    .map(masterOf));
}

/** Derives a key of 32 bytes for one purpose from the current master secret (HKDF, RFC 5869). */
export function deriveKey(purpose: string): Buffer {
  return deriveKeys(purpose)[0]!;
}

/**
 * The key of the current master secret, then that of the previous one, if configured, to verify what was signed before
 * a rotation.
 */
export function deriveKeys(purpose: string): Buffer[] {
  return masters().map(({ secret }) => derive(secret, purpose));
}

// Ciphertext: version (1 byte), id of the master secret (4), day of the key (2), nonce (12), tag (16), body.
// Ciphertexts from before key ids have only nonce, tag and body, and share one key.
const version = 2;
const headerLength = 7;
const nonceLength = 12;
const tagLength = 16;

/** The bytes with which a ciphertext of this master secret begins. */
export const prefixOf = (master: Master): Buffer => Buffer.concat([Buffer.from([version]), master.id]);

/**
 * The purpose of a ciphertext: the part of `bound` before the first colon or line break. For stored answers it is the
 * organisation.
 */
const purposeOf = (bound: string): string => /^[^:\n]*/.exec(bound)![0];

const keys = new Map<string, Buffer>();

/**
 * The AES key of a purpose and a day (UTC). With random nonces of 96 bits, a key may encrypt 2^32 times (NIST SP
 * 800-38D, 8.3), which is 49,000 times a second for one purpose.
 */
function keyOf(master: Master, purpose: string, day: number): Buffer {
  const name = `${master.id.toString("hex")} ${day} ${purpose}`;
  const kept = keys.get(name);
  if (kept) return kept;
  if (keys.size >= 10_000) keys.clear();
  const key = derive(master.secret, `at-rest\n${purpose}\n${day}`);
  keys.set(name, key);
  return key;
}

/**
 * Encrypts with AES-256-GCM under the key of this purpose and day.
 *
 * @param bound the place of the ciphertext, beginning with its kind: `kind\nid\nfield` or `kind:id`. It can be
 *   decrypted only with the same `bound`.
 */
export function encrypt(plain: string, bound: string): Uint8Array<ArrayBuffer> {
  const [master] = masters();
  const day = Math.floor(Date.now() / 86_400_000);
  const header = Buffer.concat([prefixOf(master!), Buffer.from([day >> 8, day & 0xff])]);
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", keyOf(master!, purposeOf(bound), day), nonce).setAAD(
    Buffer.concat([header, Buffer.from(bound)]),
  );
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return new Uint8Array(Buffer.concat([header, nonce, cipher.getAuthTag(), body]));
}

/** Decrypts. @throws Error if the bytes were changed, `bound` is another, or their master secret is not configured */
export function decrypt(sealed: Uint8Array, bound: string): string {
  return decryptWith(masters(), sealed, bound);
}

/** Decrypts with one of these master secrets. @throws Error as decrypt does */
export function decryptWith(known: Master[], sealed: Uint8Array, bound: string): string {
  const bytes = Buffer.from(sealed);
  const header = bytes.subarray(0, headerLength);
  const master = known.find((each) => header.subarray(0, 5).equals(prefixOf(each)));
  if (master) {
    const key = keyOf(master, purposeOf(bound), header.readUInt16BE(5));
    const plain = open(key, bytes.subarray(headerLength), Buffer.concat([header, Buffer.from(bound)]));
    if (plain !== undefined) return plain;
  }
  for (const { secret } of known) {
    const plain = open(derive(secret, "at-rest"), bytes, Buffer.from(bound));
    if (plain !== undefined) return plain;
  }
  throw new Error(
    "What is stored cannot be decrypted: it was changed, moved, or encrypted with another master secret.",
  );
}

/** Opens a ciphertext; undefined if it does not fit the key or the bound text. */
function open(key: Buffer, sealed: Buffer, bound: Buffer): string | undefined {
  if (sealed.length < nonceLength + tagLength) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceLength)).setAAD(bound);
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceLength + tagLength)), decipher.final()]).toString(
      "utf8",
    );
  } catch {
    return undefined;
  }
}

/** Hashes a token for storage. Tokens have at least 128 bits of entropy, so a fast hash is enough. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
