import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export const apiKeyPrefix = "svc_sk_live_";
const accessTokenPrefix = "svc_at_";

const checksumLength = 6;

/** Returns `length` random base62 characters from the CSPRNG. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62[randomInt(62)]).join("");
}

/**
 * Creates an API key: the prefix, 36 base62 characters (214 bits) and 6 characters of checksum (contract section 3).
 */
export function newApiKey(): string {
  const body = apiKeyPrefix + randomBase62(36);
  return body + checksum(body);
}

export function newAccessToken(): string {
  const body = accessTokenPrefix + randomBase62(36);
  return body + checksum(body);
}

/** True if the checksum is right, so that a mistyped token is refused without a query. */
export function isWellFormedToken(token: string): boolean {
  const known = token.startsWith(apiKeyPrefix)
    ? apiKeyPrefix
    : token.startsWith(accessTokenPrefix)
      ? accessTokenPrefix
      : null;
  if (!known || token.length !== known.length + 36 + checksumLength) return false;
  return checksum(token.slice(0, -checksumLength)) === token.slice(-checksumLength);
}

function checksum(text: string): string {
  let value = crc32(text);
  let encoded = "";
  for (let i = 0; i < checksumLength; i++) {
    encoded = base62[value % 62] + encoded;
    value = Math.floor(value / 62);
  }
  return encoded;
}
