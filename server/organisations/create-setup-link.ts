import { z } from "zod";
import { createLink } from "@/server/access/one-time-link";
import { command } from "@/server/core/operation";
import { lockSetup } from "./setup-lock";

/**
 * Makes the link with which the first person sets this service up, or null where there is an organisation already. The
 * operator's act. One link is valid at a time: an earlier one leads nowhere from now on. Leaves no trace, since there
 * is no organisation whose log could hold it.
 */
export const createSetupLink = command({
  name: "organisations.create_setup_link",
  scope: "settings:write",
  input: z.strictObject({}),
  async run(ctx) {
    await lockSetup(ctx.tx);
    const [taken] = await ctx.tx.sql(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM organisations) OR EXISTS (SELECT 1 FROM users)`,
    );
    if (taken) return null;
    await ctx.tx.sql(`DELETE FROM one_time_links WHERE purpose = 'setup' AND used_at IS NULL`);
    const { url, expiresAt } = await createLink(ctx.tx, ctx.now, { purpose: "setup" });
    return { url, expiresAt };
  },
});
