import { z } from "zod";
import { reading } from "@/server/core/db";
import { earliestId } from "@/server/core/ids";
import { query } from "@/server/core/operation";

const days = 30;
const dayMs = 86_400_000;

/** What happened to credentials on one day, UTC. */
interface Day {
  /** Such as 2026-11-20. */
  date: string;
  issued: number;
  suspended: number;
  revoked: number;
}

/** What happened to the organisation's credentials on each of the last 30 days, oldest first; for the console's chart. */
export const credentialDays = query({
  name: "credentials.daily",
  scope: "credentials:read",
  input: z.strictObject({}),
  async run(ctx) {
    const today = Math.floor(ctx.now.getTime() / dayMs) * dayMs;
    const first = new Date(today - (days - 1) * dayMs);
    const byDate = new Map<string, Day>();
    for (let at = first.getTime(); at <= today; at += dayMs) {
      const date = new Date(at).toISOString().slice(0, 10);
      byDate.set(date, { date, issued: 0, suspended: 0, revoked: 0 });
    }
    // History ids sort by time, so the primary key finds the last 30 days without an index of their own.
    const rows = await reading(ctx).sql<{ date: string; action: "issued" | "suspended" | "revoked"; n: number }>(
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, action, count(*) AS n FROM credential_history
       WHERE org_id = $1 AND id >= $2 AND created_at >= $3 AND action IN ('issued', 'suspended', 'revoked') GROUP BY 1, 2`,
      [ctx.orgId, earliestId("crh", first), first],
    );
    for (const { date, action, n } of rows) {
      const day = byDate.get(date);
      if (day) day[action] = n;
    }
    return [...byDate.values()];
  },
});
