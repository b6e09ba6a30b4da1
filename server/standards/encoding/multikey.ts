import { createPublicKey, ECDH, type JsonWebKey, type KeyObject } from "node:crypto";
import { Invalid, Unverifiable } from "../failure";
import { decodeMultibase, encodeBase58 } from "./multibase";

/** The kinds of keys that can verify signatures here. The curves have the names of JOSE (`crv`). */
export type KeyKind = "ed25519" | "P-256" | "P-384" | "rsa";

/** The multicodec prefixes of public keys, as the bytes of a varint; `size` is that of the key in bytes. */
const codecs = [
  { kind: "ed25519", prefix: [0xed, 0x01], size: 32 },
  { kind: "P-256", prefix: [0x80, 0x24], size: 33, curve: "prime256v1" },
  { kind: "P-384", prefix: [0x81, 0x24], size: 49, curve: "secp384r1" },
] as const;

/**
 * Reads a public key from multikey (Controlled Identifiers 1.0, section 2.2.2): Ed25519, P-256 or P-384. Its encoding is
 * base58btc; the cryptosuites and did:key allow no other (Data Integrity EdDSA 1.0 and ECDSA 1.0, section 2.1.1).
 * @throws Invalid; Unverifiable for another kind of key
 */
export function readMultikey(multikey: string): KeyObject {
  if (!multikey.startsWith("z")) throw new Invalid("The key is not multibase in base58btc (z).");
  const bytes = decodeMultibase(multikey);
  const codec = codecs.find(({ prefix }) => bytes[0] === prefix[0] && bytes[1] === prefix[1]);
  const key = bytes.subarray(2);
  if (!codec) throw new Unverifiable("The key is of a kind that is not known here (Ed25519, P-256 and P-384 are).");
  if (key.length !== codec.size) throw new Invalid(`The ${codec.kind} key does not have ${codec.size} bytes.`);
  try {
    return createPublicKey({
      key:
        codec.kind === "ed25519"
          ? { kty: "OKP", crv: "Ed25519", x: Buffer.from(key).toString("base64url") }
          : pointOf(key, codec),
      format: "jwk",
    });
  } catch (error) {
    throw new Invalid(`The ${codec.kind} key is not a point of its curve.`, { cause: error });
  }
}

/** A multikey holds the compressed point of a curve, a JWK its two coordinates. */
function pointOf(key: Uint8Array, { kind, curve }: { kind: string; curve: string }): JsonWebKey {
  const point = ECDH.convertKey(key, curve, undefined, undefined, "uncompressed") as Buffer;
  const half = (point.length - 1) / 2;
  return {
    kty: "EC",
    crv: kind,
    x: point.subarray(1, 1 + half).toString("base64url"),
    y: point.subarray(1 + half).toString("base64url"),
  };
}

/** Writes a public key as multikey: what a did:key and a `publicKeyMultibase` hold. */
export function writeMultikey(key: KeyObject): string {
  const codec = codecs.find(({ kind }) => kind === keyKindOf(key));
  if (!codec) throw new TypeError("A key of this kind has no multikey here.");
  const { x, y } = key.export({ format: "jwk" });
  const coordinate = Buffer.from(x!, "base64url");
  const bytes =
    y === undefined
      ? coordinate
      : Buffer.concat([Buffer.from([2 + (Buffer.from(y, "base64url").at(-1)! & 1)]), coordinate]);
  return encodeBase58(Buffer.concat([Buffer.from(codec.prefix), bytes]));
}

/** The kind of a key; undefined for one that is not supported. */
export function keyKindOf(key: KeyObject): KeyKind | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === "ed25519" || type === "rsa") return type;
  if (type !== "ec") return undefined;
  return ({ prime256v1: "P-256", secp384r1: "P-384" } as const)[details?.namedCurve ?? ""];
}
