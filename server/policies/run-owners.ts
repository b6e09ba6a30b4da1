import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

interface OwnerRow {
  id: Id<"plr">;
  policy_id: Id<"pol">;
  name: string;
  deleted: boolean;
}

/** Returns the policy of each run, for the history of credentials. Omits runs that are not found. */
export const policyRunOwners = query({
  name: "policies.runs.owners",
  scope: "policies:read",
  input: z.strictObject({ ids: z.array(id("plr")).max(100) }),
  async run(ctx, { ids }) {
    const rows = await reading(ctx).sql<OwnerRow>(
      `SELECT run.id, run.policy_id, policy.name, policy.deleted FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (SELECT id, policy_id FROM policy_runs WHERE org_id = ${opaque("$1")} AND policy_runs.id = given.id OFFSET 0) run
       CROSS JOIN LATERAL (SELECT name, deleted_at IS NOT NULL AS deleted FROM policies WHERE org_id = ${opaque("$1")} AND policies.id = run.policy_id OFFSET 0) policy`,
      [ctx.orgId, ids],
    );
    return rows.map((row) => ({
      id: publicId("plr", row.id),
      policyId: publicId("pol", row.policy_id),
      name: row.name,
      isDeleted: row.deleted,
    }));
  },
});
