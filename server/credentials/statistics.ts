import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { earliestId } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { stateAt } from "./state-sql";
import { credentialStates, type CredentialState } from "./states";

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

/** How many credentials are in each state now, and what happened to them on each of the last 30 days, oldest first. */
export const credentialStatistics = query({
  name: "credentials.statistics",
  scope: "credentials:read",
  input: z.strictObject({}),
  async run(ctx) {
    const [states, daily] = await Promise.all([countStates(ctx), countSteps(ctx)]);
    return { states, days: daily };
  },
});

async function countStates(ctx: Ctx): Promise<Record<CredentialState, number>> {
  const rows = await reading(ctx).sql<{ state: CredentialState; n: number }>(
    `SELECT ${stateAt("$2")} AS state, count(*) AS n FROM credentials c WHERE c.org_id = $1 GROUP BY 1`,
    [ctx.orgId, ctx.now],
  );
  const none = Object.fromEntries(credentialStates.map((state) => [state, 0])) as Record<CredentialState, number>;
  return { ...none, ...Object.fromEntries(rows.map(({ state, n }) => [state, n])) };
}

async function countSteps(ctx: Ctx): Promise<Day[]> {
  const today = Math.floor(ctx.now.getTime() / dayMs) * dayMs;
  const first = new Date(today - (days - 1) * dayMs);
  // History ids sort by time, so the primary key finds the last 30 days without an index of their own.
  const rows = await reading(ctx).sql<{ date: string; action: "issued" | "suspended" | "revoked"; n: number }>(
    `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, action, count(*) AS n FROM credential_history
     WHERE org_id = $1 AND id >= $2 AND created_at >= $3 AND action IN ('issued', 'suspended', 'revoked') GROUP BY 1, 2`,
    [ctx.orgId, earliestId("crh", first), first],
  );
  const byDate = new Map<string, Day>();
  for (let at = first.getTime(); at <= today; at += dayMs) {
    const date = new Date(at).toISOString().slice(0, 10);
    byDate.set(date, { date, issued: 0, suspended: 0, revoked: 0 });
  }
  for (const { date, action, n } of rows) {
    const day = byDate.get(date);
    if (day) day[action] = n;
  }
  return [...byDate.values()];
}
