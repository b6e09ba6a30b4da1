import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { stateAt } from "./state-sql";
import { credentialStates, type CredentialState } from "./states";

const count = z.int();

export const credentialCountsSchema = z
  .object({
    object: z.literal("credential_counts"),
    total: count,
    notRevoked: count.meta({ description: "What revoke-credentials would revoke: all but the revoked." }),
    states: z.object({ pending: count, active: count, suspended: count, expired: count, revoked: count }),
  })
  .meta({ id: "CredentialCounts" });

/**
 * Counts the credentials in each state now, of the organisation or of one template. The counts are exact, and no
 * credentials are counted for them (docs/decisions/208): they add up counters of the written states, which triggers
 * keep, and correct them by the few credentials whose state the clock has changed since it was written.
 */
export const countCredentials = query({
  name: "credentials.counts",
  scope: "credentials:read",
  input: z.strictObject({ templateId: id("tpl").optional() }),
  async run(ctx, input): Promise<z.output<typeof credentialCountsSchema>> {
    const rows = await reading(ctx).sql<{ state: CredentialState; n: number }>(countsByState, [
      ctx.orgId,
      ctx.now,
      input.templateId,
    ]);
    const of = (state: CredentialState) => rows.find((row) => row.state === state)?.n ?? 0;
    const states = Object.fromEntries(credentialStates.map((state) => [state, of(state)])) as Record<
      CredentialState,
      number
    >;
    const total = rows.reduce((sum, row) => sum + row.n, 0);
    return { object: "credential_counts", total, notRevoked: total - states.revoked, states };
  },
});

// One statement has one snapshot, so it sees a delta either as such or in the counter into which it was folded, not
// twice.
const ofTemplate = "org_id = $1 AND ($3::uuid IS NULL OR template_id = $3)";
const countsByState = `
SELECT state, sum(n)::bigint AS n FROM (
  SELECT state, count AS n FROM credential_counts WHERE ${ofTemplate}
  UNION ALL
  SELECT state, delta FROM credential_count_deltas WHERE ${ofTemplate}
  UNION ALL
  SELECT moved.state, moved.n FROM (
    SELECT c.state AS written, ${stateAt("$2")} AS state FROM credentials c
    WHERE org_id = ${opaque("$1")} AND ($3::uuid IS NULL OR template_id = $3) AND c.due_at > '-infinity' AND c.due_at <= $2 OFFSET 0
  ) AS due CROSS JOIN LATERAL (VALUES (due.written, -1), (due.state, 1)) AS moved (state, n)
) AS parts GROUP BY state`;
