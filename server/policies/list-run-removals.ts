import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadPolicy } from "./load";
import { loadRun } from "./run-view";

const states = ["staged", "applied", "dropped"] as const;

export const removalSchema = z
  .object({
    subjectId: z.string(),
    externalId: z.string(),
    displayName: z.string(),
    credentialId: z.string(),
    action: z.enum(["suspend", "revoke"]),
    state: z.enum(states).meta({
      description: "staged: waits for approval. dropped: was discarded, or was no longer due.",
    }),
  })
  .meta({ id: "PolicyRemoval" });

interface RemovalRow {
  subject_id: Id<"sub">;
  external_id: string;
  display_name: string;
  credential_id: Id<"crd">;
  action: "suspend" | "revoke";
  state: (typeof states)[number];
}

/** Lists whose credential a run ended, or would end once approved. Names people, so it also needs subjects:read. */
export const listPolicyRemovals = query({
  name: "policies.runs.removals",
  scope: "policies:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("pol"), run: id("plr"), ...page }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    const run = await loadRun(ctx, policy.id, input.run);
    const found = await paginate(input, {
      binding: [ctx.orgId, "policy_removals", run.id],
      fetch: ({ after, take, skip }) =>
        reading(ctx).sql<RemovalRow>(
          `SELECT removal.subject_id, s.external_id, s.display_name, removal.credential_id, removal.action, removal.state
           FROM (SELECT subject_id, credential_id, action, state FROM policy_removals
                 WHERE org_id = $1 AND run_id = $2 AND ($3::uuid IS NULL OR subject_id > $3) ORDER BY subject_id LIMIT $4 OFFSET $5) removal
           CROSS JOIN LATERAL (SELECT external_id, display_name FROM subjects WHERE org_id = ${opaque("$1")} AND id = removal.subject_id OFFSET 0) s
           ORDER BY removal.subject_id`,
          [ctx.orgId, run.id, after, take, skip],
        ),
      count: async () =>
        (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM policy_removals WHERE org_id = $1 AND run_id = $2`,
            [ctx.orgId, run.id],
          )
        )[0]!.n,
      keyOf: (row) => row.subject_id,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: publicId("sub", row.subject_id),
        externalId: row.external_id,
        displayName: row.display_name,
        credentialId: publicId("crd", row.credential_id),
        action: row.action,
        state: row.state,
      })),
    };
  },
});
