import { z } from "zod";
import { checkOutboundHost } from "@/server/outbound/request";
import { hostKeySchema } from "./host-key";
import { pathProblem } from "./remote-path";
import { utils } from "./ssh2";

const fileFields = {
  encoding: z.enum(["auto", "utf-8", "utf-16le", "utf-16be", "windows-1252"]).default("auto"),
  delimiter: z.enum(["auto", ",", ";", "\t"]).default("auto"),
};

const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => !/\p{Cc}/u.test(text), "must have no control characters");

/** The settings of a connector that fetches files from the customer's SFTP server. */
export const sftpFetchSettings = z
  .strictObject({
    direction: z.literal("fetch"),
    host: line(253).meta({ description: "The host name or IP address of the server." }),
    port: z.int().min(1).max(65535).default(22),
    username: line(128),
    auth: z.enum(["password", "key"]).default("password").meta({
      description: "Whether the secret is a password, or a private key without a passphrase.",
    }),
    path: line(500)
      .superRefine((path, issue) => {
        const problem = pathProblem(path);
        if (problem) issue.addIssue({ code: "custom", message: problem });
      })
      .meta({
        description:
          "A folder with a slash at its end, a file, or a pattern: /export/, people.csv, /export/people-*.csv.",
      }),
    hostKey: hostKeySchema.nullable().default(null).meta({
      description:
        "The server's key, which POST /v1/connectors/test returns. Compare its fingerprint with the one from the server's operator. Files are fetched only from a server with this key.",
    }),
    ...fileFields,
  })
  .superRefine(({ host, port }, issue) => {
    const problem = checkOutboundHost({ host, port });
    if (problem)
      issue.addIssue({
        code: "custom",
        path: [problem.startsWith("Port ") ? "port" : "host"],
        message: `cannot be called: ${problem}`,
      });
  });
export type SftpFetchSettings = z.output<typeof sftpFetchSettings>;

const keysAtMost = 10;

const publicKey = z
  .string()
  .max(2000)
  .transform((text) => text.trim())
  .superRefine((text, issue) => {
    const key = /^(?:ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/=]+(?: [^\r\n]*)?$/.test(text)
      ? utils.parseKey(text)
      : new Error();
    if (key instanceof Error || key.isPrivateKey())
      issue.addIssue({
        code: "custom",
        message: "must be a public key on one line, as a file such as id_ed25519.pub holds it",
      });
  });

/** The settings of a connector whose files the customer uploads to our SFTP server. */
export const sftpReceiveSettings = z.strictObject({
  direction: z.literal("receive"),
  publicKeys: z.array(publicKey).max(keysAtMost).default([]).meta({
    description:
      "The public keys of the sender, who can sign in with the matching private keys, or with the password if one is set.",
  }),
  ...fileFields,
});
export type SftpReceiveSettings = z.output<typeof sftpReceiveSettings>;

/** The settings of a connector of type sftp. */
export const sftpSettings = z.discriminatedUnion("direction", [sftpFetchSettings, sftpReceiveSettings]);
export type SftpSettings = z.output<typeof sftpSettings>;

/** Returns what is wrong with a private key; null if it is valid. */
export function privateKeyProblem(secret: string): string | null {
  const key = utils.parseKey(secret);
  if (key instanceof Error)
    return /passphrase|encrypted/i.test(key.message)
      ? "must be a private key without a passphrase: make a copy of it without one (ssh-keygen -p)"
      : "must be a private key, with its first and last line (-----BEGIN … PRIVATE KEY-----)";
  return key.isPrivateKey() ? null : "must be the private key, not the public one";
}
