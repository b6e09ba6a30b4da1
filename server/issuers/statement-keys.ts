/** The bytes before an Ed25519 key in a multikey: the multicodec 0xed as a varint. */
const prefixLength = 2;
const keyIdLength = 4;

/**
 * The key id in a signed statement: the first 4 bytes of the Ed25519 key. An issuer has few keys, so all matching ones
 * are tried.
 */
export const keyIdOf = (multikey: Uint8Array): Uint8Array => multikey.slice(prefixLength, prefixLength + keyIdLength);
