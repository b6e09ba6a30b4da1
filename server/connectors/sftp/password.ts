import { z } from "zod";
import { audit } from "@/server/access/audit";
import { randomBase62 } from "@/server/access/token-format";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { hashToken } from "@/server/core/secrets";
import { loadReceiver } from "./load-receiver";

/** Characters of base 62, which give 190 bits of entropy. */
const passwordLength = 32;

export const sftpPasswordSchema = z
  .object({ object: z.literal("sftp_password"), username: z.string(), password: z.string() })
  .meta({ id: "SftpPassword" });

/**
 * Creates a new password for the sender of a connector and returns it once; the previous password stops working. Requires
 * connectors:run too, because files that are sent with the password start runs. Leaves an audit entry.
 *
 * @throws DomainError not_found; connector_type for a connector that does not receive files
 */
export const createSftpPassword = command({
  name: "connectors.sftp.password.create",
  scope: "connectors:write",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    requireScope(ctx, "connectors:run");
    const receiver = await loadReceiver(ctx, input.id, "FOR UPDATE");
    const password = randomBase62(passwordLength);
    await store(ctx, receiver.id, hashToken(password));
    await audit(ctx, "connector.password_created", { type: "connector", id: publicId("con", receiver.id) }, {});
    return { object: "sftp_password" as const, username: receiver.user, password };
  },
});

/** Removes the password, so that the sender can only sign in with a key. Leaves an audit entry if there was a password. */
export const deleteSftpPassword = command({
  name: "connectors.sftp.password.delete",
  scope: "connectors:write",
  input: z.strictObject({ id: id("con") }),
  async run(ctx, input) {
    const receiver = await loadReceiver(ctx, input.id, "FOR UPDATE");
    if (!receiver.hasPassword) return;
    await store(ctx, receiver.id, null);
    await audit(ctx, "connector.password_deleted", { type: "connector", id: publicId("con", receiver.id) }, {});
  },
});

async function store(ctx: TxCtx, connectorId: Id<"con">, hash: string | null): Promise<void> {
  await ctx.tx.sql(`UPDATE connectors SET sftp_hash = $3, sftp_at = $4 WHERE org_id = $1 AND id = $2`, [
    ctx.orgId,
    connectorId,
    hash,
    ctx.now,
  ]);
}
