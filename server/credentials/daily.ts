import { z } from "zod";
import { reading } from "@/server/core/db";
import { earliestId } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { regionOf } from "@/server/organisations/region";
import { dayOf, startOfDay } from "@/server/core/dates";

const days = 30;

/** What happened to credentials on one day in the organisation's time zone. */
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
    const { sql } = reading(ctx);
    const { timeZone } = await regionOf(sql, ctx.orgId);
    const found: Day[] = [];
    for (let date = dayOf(ctx.now, timeZone); found.length < days; date = dayOf(new Date(startOfDay(date, timeZone).getTime() - 1), timeZone)) {
      found.unshift({ date, issued: 0, suspended: 0, revoked: 0 });
    }
    const starts = found.map(({ date }) => startOfDay(date, timeZone));
    // History ids sort by time, so the primary key finds the last 30 days without an index of their own.
    const rows = await sql<{ day: number; action: "issued" | "suspended" | "revoked"; n: number }>(
      `SELECT width_bucket(created_at, $4::timestamptz[]) AS day, action, count(*) AS n FROM credential_history
       WHERE org_id = $1 AND id >= $2 AND created_at >= $3 AND action IN ('issued', 'suspended', 'revoked') GROUP BY 1, 2`,
      [ctx.orgId, earliestId("crh", starts[0]!), starts[0], starts],
    );
    for (const { day, action, n } of rows) found[day - 1]![action] = n;
    return found;
  },
});
