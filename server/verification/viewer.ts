import { hash, randomBytes } from "node:crypto";

// Of this process alone: what it hashes to means nothing to anyone else, and nothing after a restart.
const key = randomBytes(32).toString("base64");

/**
 * Tells viewers apart for as long as their verifications are coalesced. Neither address nor user agent can be had from it.
 */
export function viewerOf(address: string, userAgent: string | null): string {
  return hash("sha256", `${key}\n${address}\n${userAgent ?? ""}`, "base64url");
}
