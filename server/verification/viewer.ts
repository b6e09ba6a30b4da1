import { hash, randomBytes } from "node:crypto";

// Random per process: hashes cannot be compared with those of another process, or of this one after a restart.
const key = randomBytes(32).toString("base64");

/** Hashes a viewer, to coalesce verifications by viewer. The hash reveals neither address nor user agent. */
export function viewerOf(address: string, userAgent: string | null): string {
  return hash("sha256", `${key}\n${address}\n${userAgent ?? ""}`, "base64url");
}
