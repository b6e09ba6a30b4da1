import { randomBytes } from "node:crypto";
import type { Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";

/** Returns a new secret: `whsec_` and the base64 of 32 random bytes, as Standard Webhooks defines it. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Encrypts a secret for this endpoint's column; it cannot be decrypted for another endpoint or column. */
export function sealSecret(endpointId: Id<"whe">, secret: string): Buffer {
  return Buffer.from(encrypt(secret, `webhook_endpoint\n${endpointId}\nsecret`));
}

export function openSecret(endpointId: Id<"whe">, sealed: Uint8Array): string {
  return decrypt(sealed, `webhook_endpoint\n${endpointId}\nsecret`);
}

/** Encrypts the customer's own headers, which can hold credentials. Null if there are none. */
export function sealHeaders(endpointId: Id<"whe">, headers: Record<string, string>): Buffer | null {
  if (Object.keys(headers).length === 0) return null;
  return Buffer.from(encrypt(JSON.stringify(headers), `webhook_endpoint\n${endpointId}\nheaders`));
}

export function openHeaders(endpointId: Id<"whe">, sealed: Uint8Array | null): Record<string, string> {
  if (!sealed) return {};
  return JSON.parse(decrypt(sealed, `webhook_endpoint\n${endpointId}\nheaders`)) as Record<string, string>;
}
