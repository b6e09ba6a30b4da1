import { z } from "zod";
import type { Query } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { bodyPage, pageOf, paginate } from "@/server/core/pagination";
import { transaction, type Tx } from "@/server/core/transaction";
import { warningSchema } from "@/server/core/warning";
import { unnamedPerson } from "@/server/credentials/unnamed";
import { refuseCostly, withinRuleTime } from "@/server/rules/rule-time";
import { configOf } from "./config";
import { exceptionsOf } from "./exceptions-of";
import { loadPolicy } from "./load";
import { outcomeFields } from "./outcome";
import { haltOf, radiusOf } from "./plan/halt";
import { planHash } from "./plan/plan-hash";
import { outcomesOf } from "./plan/outcomes";
import { sent, type PolicySql } from "./plan/people";
import { plansOf } from "./plan/plans";
import { actions, countsSchema, countsView, haltSchema, type Action } from "./run-view";
import { planMs } from "./run/work";

export const previewSchema = z
  .object({
    counts: countsSchema,
    planHash: z.string().meta({
      description: "Names the policy as it is now, and what would be suspended and revoked. Send it with apply.",
    }),
    refusal: z.object({ code: z.string(), message: z.string() }).nullable().meta({
      description: "Why an apply would issue nothing: the template is archived, or has no published version.",
    }),
    halt: haltSchema.nullable().meta({ description: "Why an apply would change nothing and wait for approval." }),
    blastRadius: z.object({
      limit: z.int().meta({ description: "Credentials that may be ended within 24 hours without a person." }),
      recent: z.int().meta({
        description:
          "Credentials that were ended in the last 24 hours without an approval, other than those of this plan.",
      }),
      holders: z.int().meta({
        description:
          "People who held a credential of the policy when the 24 hours began; if nobody did, everybody who has held one since.",
      }),
      affected: z.int().meta({ description: "Credentials that would be ended now." }),
    }),
    ...pageOf(
      z.object({
        subjectId: z.string(),
        externalId: z.string(),
        displayName: z.string(),
        action: z.enum(actions),
        credentialId: z.string().nullable(),
        graceUntil: z.iso.datetime().nullable().meta({
          description: "Of grace: until when they keep their credential if nothing changes. null for other actions.",
        }),
        warnings: z.array(warningSchema).meta({
          description:
            "Of issue: what is likely to be a mistake. unnamed_holder: the person has no name, and the credential is an academic one. Nothing is refused for it.",
        }),
        exception: outcomeFields.exception.meta({ description: "What somebody decided for this person." }),
      }),
    ).shape,
  })
  .meta({ id: "PolicyPreview" });

interface PlannedRow {
  subject_id: Id<"sub">;
  external_id: string;
  display_name: string;
  credential_id: Id<"crd"> | null;
  action: Action;
  since?: Date | null;
}

/**
 * Returns what an apply would do now: counts, and a page of the people concerned. Writes nothing. Names people, so it
 * also needs subjects:read.
 */
export const previewPolicy = query({
  name: "policies.preview",
  scope: "policies:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("pol"),
    actions: z
      .array(z.enum(actions))
      .min(1)
      .max(actions.length)
      .default(actions.filter((action) => action !== "keep"))
      .meta({ description: "Of whom data tells. All but keep unless sent." }),
    ...bodyPage,
  }),
  async run(ctx, input) {
    const policy = await loadPolicy(ctx, input.id);
    const preview = async (tx: Tx) => {
      const { sql } = tx;
      const plans = await plansOf(sql, {
        orgId: ctx.orgId,
        policyId: policy.id,
        config: configOf(policy),
        now: ctx.now,
      });
      const { fresh, refusal } = plans;
      const { counts, removals } = await outcomesOf(tx, fresh());
      const counted = await radiusOf(sql, fresh(), removals);
      const namesHolders = await statesNames(sql, ctx.orgId, policy.template_id);
      const of = (action: Action) => (counts as Partial<Record<Action, number>>)[action] ?? 0;
      const found = await paginate(input, {
        binding: [ctx.orgId, "policy_preview", policy.id, input.actions],
        fetch: ({ after, take, skip }) =>
          people(
            sql,
            fresh,
            input.actions.filter((action) => of(action) > 0),
            after,
            take + skip,
          ).then((rows) => rows.slice(skip)),
        count: async () => input.actions.reduce((sum, action) => sum + of(action), 0),
        keyOf: (row) => row.subject_id,
      });
      const exceptions = await exceptionsOf(
        sql,
        { orgId: ctx.orgId, policyId: policy.id, now: ctx.now },
        found.data.map(({ subject_id }) => subject_id),
      );
      return {
        counts: countsView(counts),
        planHash: planHash(configOf(policy), removals),
        refusal: refusal && { code: refusal.code, message: refusal.message },
        halt: await haltOf(sql, fresh, removals.length, counted),
        blastRadius: { ...counted.radius, affected: removals.length },
        ...found,
        data: found.data.map((row) => ({
          subjectId: publicId("sub", row.subject_id),
          externalId: row.external_id,
          displayName: row.display_name,
          action: row.action,
          credentialId: publicId("crd", row.credential_id),
          graceUntil:
            row.action === "grace"
              ? fresh()
                  .graceUntil(row.since ?? null)
                  .toISOString()
              : null,
          warnings: namesHolders && row.action === "issue" && row.display_name === "" ? [unnamedPerson] : [],
          exception: exceptions.get(row.subject_id) ?? null,
        })),
      };
    };
    return transaction((tx) => withinRuleTime(tx, () => preview(tx), planMs)).catch(refuseCostly);
  },
});

/** Whether a credential of the template keeps the name of its issue, and the holder does not confirm the name first. */
async function statesNames(sql: Query, orgId: Id<"org">, templateId: Id<"tpl">): Promise<boolean> {
  const found = await sql(
    `SELECT 1 FROM templates WHERE org_id = $1 AND id = $2 AND kind = 'academic' AND NOT confirm_name`,
    [orgId, templateId],
  );
  return found.length > 0;
}

const actionsOf: Record<"grants" | "exits" | "graces", Action[]> = {
  grants: ["issue", "confirming", "keep", "foreign", "renew", "resume", "blocked"],
  exits: ["suspend", "revoke"],
  graces: ["grace"],
};

/**
 * Reads the next page of people with the chosen actions. Three queries (who should hold a credential, who loses one, who
 * is in grace) each read in the order of ids, so that each can stop after a page.
 */
async function people(
  sql: Query,
  fresh: () => PolicySql,
  chosen: Action[],
  after: string | null,
  take: number,
): Promise<PlannedRow[]> {
  const from = after === null ? {} : { after };
  const read = async (part: keyof typeof actionsOf) => {
    const plan = fresh();
    // Stop here, because a statement that finds nobody has to read everybody.
    if (!chosen.some((action) => actionsOf[part].includes(action))) return [];
    const text = plan[part](from);
    const since = part === "graces" ? `, ${plan.lapsedSince("part.subject_id")} AS since` : "";
    return sql<PlannedRow>(
      `SELECT part.*${since} FROM (${text}) part WHERE action IN (${chosen.map((action) => `'${action}'`).join(", ")}) ORDER BY subject_id LIMIT ${plan.parameter(take)}`,
      ...sent(plan),
    );
  };
  const all = [...(await read("grants")), ...(await read("exits")), ...(await read("graces"))];
  return all.toSorted((a, b) => (a.subject_id < b.subject_id ? -1 : 1)).slice(0, take);
}
