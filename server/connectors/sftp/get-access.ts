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
      description: "Whether this service has an SFTP server. Whoever operates it sets SFTP_PORT.",
    }),
    host: z.string().nullable(),
    port: z.int().nullable(),
    username: z.string(),
    hasPassword: z.boolean(),
    passwordSetAt: z.iso.datetime().nullable(),
    hostKeys: z.array(hostKeySchema).meta({ description: "Whose fingerprints the sender's program shows at first." }),
  })
  .meta({ id: "SftpAccess" });

/** Tells how the sender of a connector reaches our SFTP server. The password is not told. */
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
