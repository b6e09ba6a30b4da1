import { z } from "zod";
import { lastDays, startOfDay } from "@/server/core/dates";
import { reading } from "@/server/core/db";
import { earliestId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { regionOf } from "@/server/organisations/region";
import { configOf } from "./config";
import { loadPolicy } from "./load";
import { radiusOf } from "./plan/halt";
import { PolicySql } from "./plan/people";

const shownDays = 30;

/** What the runs of a policy did on one day in the organisation's time zone. */
export interface PolicyDay {
  /** A date such as 2026-11-20. */
  date: string;
  runs: number;
  issued: number;
  /** Credentials that were suspended or revoked. */
  ended: number;
  /** Runs that were halted. */
  halted: number;
  /** The most credentials that one halted run would have ended. */
  withheld: number;
  failed: number;
}

/**
 * Returns what a policy's runs did on each of the last 30 days, oldest first, and today's limit of ended credentials, for
 * the console's chart.
 */
export const policyDays = query({
  name: "policies.days",
  scope: "policies:read",
  input: z.strictObject({ id: id("pol") }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    const { sql } = reading(ctx);
    const { timeZone } = await regionOf(sql, ctx.orgId);
    const days = lastDays(ctx.now, timeZone, shownDays).map(
      (date): PolicyDay => ({ date, runs: 0, issued: 0, ended: 0, halted: 0, withheld: 0, failed: 0 }),
    );
    const starts = days.map(({ date }) => startOfDay(date, timeZone));
    const rows = await sql<Omit<PolicyDay, "date"> & { day: number }>(
      `SELECT width_bucket(created_at, $4::timestamptz[]) AS day, count(*) AS runs,
         coalesce(sum((counts ->> 'issue')::int) FILTER (WHERE NOT withheld), 0)::bigint AS issued,
         coalesce(sum(coalesce((counts ->> 'suspend')::int, 0) + coalesce((counts ->> 'revoke')::int, 0)) FILTER (WHERE NOT withheld), 0)::bigint AS ended,
         count(*) FILTER (WHERE withheld) AS halted, coalesce(max((halt ->> 'affected')::int) FILTER (WHERE withheld), 0) AS withheld,
         count(*) FILTER (WHERE status = 'failed') AS failed
       FROM (SELECT created_at, counts, halt, status, status IN ('halted', 'discarded') AS withheld FROM policy_runs
             WHERE org_id = $1 AND policy_id = $2 AND id >= $3) run
       GROUP BY 1`,
      [ctx.orgId, policy.id, earliestId("plr", starts[0]!), starts],
    );
    for (const { day, ...counted } of rows) if (days[day - 1]) Object.assign(days[day - 1]!, counted);
    const clock = { now: ctx.now, timeZone };
    const {
      radius: { limit },
    } = await radiusOf(sql, new PolicySql(ctx.orgId, policy.id, configOf(policy), clock), []);
    return { limit, days };
  },
});
