import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
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

/** How many credentials there are in each state now: of the organisation, or of one template. */
export const countCredentials = query({
  name: "credentials.counts",
  scope: "credentials:read",
  input: z.strictObject({ templateId: id.optional() }),
  async run(ctx, input): Promise<z.output<typeof credentialCountsSchema>> {
    const rows = await reading(ctx).sql<{ state: CredentialState; n: number }>(
      `SELECT ${stateAt("$2")} AS state, count(*) AS n FROM credentials c
       WHERE c.org_id = $1 AND ($3::text IS NULL OR c.template_id = $3) GROUP BY 1`,
      [ctx.orgId, ctx.now, input.templateId],
    );
    const of = (state: CredentialState) => rows.find((row) => row.state === state)?.n ?? 0;
    const states = Object.fromEntries(credentialStates.map((state) => [state, of(state)])) as Record<CredentialState, number>;
    const total = rows.reduce((sum, row) => sum + row.n, 0);
    return { object: "credential_counts", total, notRevoked: total - states.revoked, states };
  },
});
