import { z } from "zod";
import { createLink } from "@/server/access/one-time-link";
import { command } from "@/server/core/operation";
import { lockSetup } from "./setup-lock";

/**
 * Creates the link with which the first person sets this service up; null if there is an organisation already. Operator
 * only. Invalidates earlier links. Leaves no audit entry, since there is no organisation whose log could hold it.
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
