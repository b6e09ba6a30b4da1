import { createHash } from "node:crypto";
import { z } from "zod";

export const hostKeyTypes = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "ssh-rsa",
] as const;
type HostKeyType = (typeof hostKeyTypes)[number];

/** The key of an SSH server, with its fingerprint in the format of `ssh-keygen -l`, which people compare. */
export const hostKeySchema = z
  .strictObject({
    type: z.enum(hostKeyTypes),
    fingerprint: z
      .string()
      .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, "must be a fingerprint such as SHA256: and 43 characters"),
  })
  .meta({ id: "SftpHostKey" });
export type HostKey = z.output<typeof hostKeySchema>;

/** Reads a public key in SSH wire format (RFC 4253 section 6.6); null if its type is not supported. */
export function hostKeyOf(blob: Buffer): HostKey | null {
  const length = blob.length > 4 ? blob.readUInt32BE(0) : 0;
  const type = hostKeyTypes.find((name) => name === blob.toString("latin1", 4, 4 + length));
  const fingerprint = `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
  return type ? { type, fingerprint } : null;
}

/** The signature algorithms of a key type (RFC 8332), without RSA with SHA-1, which is insecure. */
export const signaturesOf = (type: HostKeyType) =>
  type === "ssh-rsa" ? (["rsa-sha2-512", "rsa-sha2-256"] as const) : [type];
