import type { Ctx } from "@/server/core/context";
import { createConnector } from "../../create";
import { mapping } from "../../testing/feed";
import { getSftpAccess } from "../get-access";
import { createSftpPassword } from "../password";

/** Creates a connector that receives files by SFTP. */
export const receiver = (ctx: Ctx, settings: object = {}, more: object = {}) =>
  createConnector(ctx, {
    name: "Inbox",
    type: "sftp",
    mapping,
    settings: { direction: "receive", ...settings },
    ...more,
  });

/** Creates a connector that receives files by SFTP, with the user name and password of its sender. */
export async function sender(ctx: Ctx, settings: object = {}, more: object = {}) {
  const { id } = await receiver(ctx, settings, more);
  const { password } = await createSftpPassword(ctx, { id });
  return { id, username: (await getSftpAccess(ctx, { id })).username, password };
}
