import type { Ctx } from "@/server/core/context";
import { createConnector } from "../../create";
import { mapping } from "../../testing/feed";
import { getSftpAccess } from "../get-access";
import { createSftpPassword } from "../password";

/** A connector to which somebody sends files by SFTP. */
export const receiver = (ctx: Ctx, settings: object = {}, more: object = {}) =>
  createConnector(ctx, {
    name: "Inbox",
    type: "sftp",
    mapping,
    settings: { direction: "receive", ...settings },
    ...more,
  });

/** A connector to which somebody sends files, with the name and the password of the sender. */
export async function sender(ctx: Ctx, settings: object = {}, more: object = {}) {
  const { id } = await receiver(ctx, settings, more);
  const { password } = await createSftpPassword(ctx, { id });
  return { id, username: (await getSftpAccess(ctx, { id })).username, password };
}
