import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { sftpAddress } from "./address";
import { hostKeySchema } from "./host-key";
import { ownHostKeys } from "./host-keys";
import { loadReceiver } from "./load-receiver";

export const sftpAccessSchema = z
  .object({
    object: z.literal("sftp_access"),
    enabled: z.boolean().meta({
      description: "Whether this service has an SFTP server. The operator enables it with SFTP_PORT.",
    }),
    host: z.string().nullable(),
    port: z.int().nullable(),
    username: z.string(),
    hasPassword: z.boolean(),
    passwordSetAt: z.iso.datetime().nullable(),
    hostKeys: z.array(hostKeySchema).meta({
      description: "The server's keys. The sender's program shows one of these fingerprints at the first connection.",
    }),
  })
  .meta({ id: "SftpAccess" });

/** Returns how the sender of a connector reaches our SFTP server, without the password. */
export const getSftpAccess = query({
  name: "connectors.sftp.get",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    const { user, hasPassword, passwordAt } = await loadReceiver(ctx, input.id);
    const address = sftpAddress();
    return {
      object: "sftp_access" as const,
      enabled: address !== null,
      host: address?.host ?? null,
      port: address?.port ?? null,
      username: user,
      hasPassword,
      passwordSetAt: hasPassword ? (passwordAt?.toISOString() ?? null) : null,
      hostKeys: address ? await ownHostKeys() : [],
    };
  },
});
