import { decode, encode } from "cborg";

// COSE_Sign1 (RFC 9052, section 4.2), only with Ed25519. Runs in browsers too: it neither signs nor verifies;
// node:crypto and WebCrypto do that, each with its own API.

/** CBOR tag 18 in its one byte: what follows is a COSE_Sign1. */
const tag = 0xd2;
/** Header parameters (RFC 9052, section 3.1). */
const [alg, keyId] = [1, 4];
/** Ed25519 as RFC 9864 names it; -8 (EdDSA) leaves the curve open and is deprecated. */
const ed25519 = -19;
const signatureLength = 64;

export interface Sign1 {
  kid: Uint8Array;
  payload: Uint8Array;
  signature: Uint8Array;
}

const protectedHeader = (kid: Uint8Array) =>
  encode(
    new Map<number, unknown>([
      [alg, ed25519],
      [keyId, kid],
    ]),
  );

/** The bytes that are signed: the Sig_structure (RFC 9052, section 4.4) without external data. */
export const signedBytes = ({ kid, payload }: Pick<Sign1, "kid" | "payload">): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(encode(["Signature1", protectedHeader(kid), new Uint8Array(0), payload]));

/** Writes a tagged COSE_Sign1, whose algorithm and key id are protected. */
export const writeSign1 = ({ kid, payload, signature }: Sign1): Uint8Array =>
  Uint8Array.from([tag, ...encode([protectedHeader(kid), new Map(), payload, signature])]);

/** Reads the output of writeSign1, and nothing else: any other header could change what the signature means. */
export function readSign1(bytes: Uint8Array): Sign1 | null {
  try {
    if (bytes[0] !== tag) return null;
    const parts = strictly(bytes.subarray(1));
    if (!Array.isArray(parts) || parts.length !== 4) return null;
    const [header, unprotected, payload, signature] = parts as unknown[];
    if (!isBytes(header) || !isBytes(payload) || !isBytes(signature) || signature.length !== signatureLength)
      return null;
    if (!(unprotected instanceof Map) || unprotected.size > 0) return null;
    const parameters = strictly(header);
    if (!(parameters instanceof Map) || parameters.size !== 2 || parameters.get(alg) !== ed25519) return null;
    const kid: unknown = parameters.get(keyId);
    return isBytes(kid) ? { kid, payload, signature } : null;
  } catch {
    // What is not CBOR.
    return null;
  }
}

/** Decodes CBOR in its one shortest form, maps as Map. @throws for anything else */
export const strictly = (bytes: Uint8Array): unknown =>
  decode(bytes, {
    strict: true,
    useMaps: true,
    rejectDuplicateMapKeys: true,
    allowIndefinite: false,
    allowUndefined: false,
  }) as unknown;

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
