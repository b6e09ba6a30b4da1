import { z } from "zod";
import { createLink } from "@/server/access/one-time-link";
import { command } from "@/server/core/operation";

/**
 * Makes the link with which the first person sets this service up, or null where somebody already has. The operator's act.
 * Earlier links hold too until they expire or one of them is used.
 */
export const createSetupLink = command({
  name: "organisations.create_setup_link",
  scope: "settings:write",
  input: z.strictObject({}),
  async run(ctx) {
    const [user] = await ctx.tx.sql(`SELECT 1 FROM users LIMIT 1`);
    return user ? null : createLink(ctx.tx, ctx.now, { purpose: "setup" });
  },
});
