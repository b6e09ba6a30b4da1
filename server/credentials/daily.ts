import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { regionOf } from "@/server/organisations/region";
import { lastDays, startOfDay } from "@/server/core/dates";

const days = 30;

/** What happened to credentials on one day in the organisation's time zone. */
interface Day {
  /** A date such as 2026-11-20. */
  date: string;
  issued: number;
  suspended: number;
  revoked: number;
}

/**
 * Counts what happened to the organisation's credentials on each of the last 30 days, oldest first; for the console's
 * chart. Adds up counters that triggers keep for each quarter of an hour (docs/decisions/208), because in every time
 * zone a day begins on a quarter of an hour.
 */
export const credentialDays = query({
  name: "credentials.daily",
  scope: "credentials:read",
  input: z.strictObject({}),
  async run(ctx) {
    const { sql } = reading(ctx);
    const { timeZone } = await regionOf(sql, ctx.orgId);
    const found = lastDays(ctx.now, timeZone, days).map((date): Day => ({ date, issued: 0, suspended: 0, revoked: 0 }));
    const starts = found.map(({ date }) => startOfDay(date, timeZone));
    const rows = await sql<{ day: number; action: "issued" | "suspended" | "revoked"; n: number }>(
      `SELECT width_bucket(period, $3::timestamptz[]) AS day, action, sum(n)::bigint AS n FROM (
         SELECT period, action, count AS n FROM credential_action_counts WHERE org_id = $1 AND period >= $2
         UNION ALL
         SELECT period, action, delta FROM credential_action_deltas WHERE org_id = $1 AND period >= $2
       ) AS parts GROUP BY 1, 2`,
      [ctx.orgId, starts[0], starts],
    );
    for (const { day, action, n } of rows) found[day - 1]![action] = n;
    return found;
  },
});
