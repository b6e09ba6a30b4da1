import { base58, base64urlnopad } from "@scure/base";
import { Invalid } from "../failure";

/** The longest base58 text. Decoding takes quadratic time; a key or a signature has less than 200 characters. */
const maxBase58 = 1_000;

/** Encodes bytes as multibase base58btc: `z…`. */
export const encodeBase58 = (bytes: Uint8Array): string => `z${base58.encode(bytes)}`;

/** Encodes bytes as multibase base64url without padding: `u…`. */
export const encodeBase64Url = (bytes: Uint8Array): string => `u${Buffer.from(bytes).toString("base64url")}`;

/**
 * Decodes multibase (Controlled Identifiers 1.0, section 2.4) of the alphabets `z` and `u`.
 * @throws Invalid
 */
export function decodeMultibase(text: string): Uint8Array {
  const rest = text.slice(1);
  try {
    if (text.startsWith("z") && rest.length <= maxBase58) return base58.decode(rest);
    // Buffer would silently skip padding, spaces and left-over bits; this decoder refuses them.
    if (text.startsWith("u")) return base64urlnopad.decode(rest);
  } catch {
    throw new Invalid("A value is not valid multibase.");
  }
  throw new Invalid(`A value is not multibase in base58btc (z) or base64url (u).`);
}
