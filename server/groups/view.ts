import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import type { Rule } from "@/server/rules/rule";
import { ruleSchema } from "@/server/rules/input";

export const groupKinds = ["static", "rule"] as const;
export const evaluationProblems = ["too_costly", "failed"] as const;
export type EvaluationProblem = (typeof evaluationProblems)[number];
export type GroupKind = (typeof groupKinds)[number];

/** A row of `groups`, as raw SQL returns it. */
export interface GroupRow {
  id: Id<"grp">;
  name: string;
  external_id: string | null;
  description: string;
  kind: GroupKind;
  rule: Rule | null;
  evaluated_at: Date | null;
  evaluation_problem: EvaluationProblem | null;
  member_count: number;
  provided_by: { id: Id<"con">; name: string } | null;
  fed_by: { id: Id<"con">; name: string }[];
  created_at: Date;
  updated_at: Date;
}

/**
 * The columns of GroupRow. The number of members is the sum of the folded and the unfolded deltas in one snapshot, so
 * it is always exact (docs/decisions/208).
 */
export const groupColumns = `id, name, external_id, description, kind, rule, evaluated_at, evaluation_problem, created_at, updated_at,
  coalesce((SELECT folded.count FROM group_counts folded WHERE folded.org_id = groups.org_id AND folded.group_id = groups.id), 0)
  + coalesce((SELECT sum(fresh.delta) FROM group_count_deltas fresh WHERE fresh.org_id = groups.org_id AND fresh.group_id = groups.id), 0) AS member_count,
  (SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM (SELECT connector_id FROM scim_groups WHERE org_id = groups.org_id AND group_id = groups.id AND hidden_at IS NULL OFFSET 0) provided
     CROSS JOIN LATERAL (SELECT id, name FROM connectors WHERE org_id = groups.org_id AND id = provided.connector_id AND deleted_at IS NULL OFFSET 0) c) AS provided_by,
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) ORDER BY c.name, c.id) FROM (SELECT DISTINCT connector_id FROM connector_groups WHERE org_id = groups.org_id AND group_id = groups.id OFFSET 0) fed
     CROSS JOIN LATERAL (SELECT id, name FROM connectors WHERE org_id = groups.org_id AND id = fed.connector_id AND deleted_at IS NULL AND mapping ? 'groups' OFFSET 0) c), '[]') AS fed_by`;

export const groupSchema = z
  .object({
    id: z.string(),
    object: z.literal("group"),
    name: z.string(),
    externalId: z.string().nullable().meta({ description: "The caller's own key, if there is one." }),
    description: z.string(),
    kind: z.enum(groupKinds).meta({
      description: "static: members are added and removed. rule: its rule says who the members are. Never changes.",
    }),
    rule: ruleSchema.nullable(),
    memberCount: z.int(),
    providedBy: z.object({ connectorId: z.string(), name: z.string() }).nullable().meta({
      description:
        "The SCIM connection whose directory decides the name and the members, which cannot be changed here. null for a group of your own.",
    }),
    fedBy: z.array(z.object({ connectorId: z.string(), name: z.string() })).meta({
      description:
        "The connectors whose files name this group, and so add and remove members. Members can be added here too; a connector removes only those that it added.",
    }),
    evaluatedAt: z.iso.datetime().nullable().meta({
      description:
        "Of a rule group: the members are those who matched the rule at this time, or later. null until it was evaluated for the first time after a change of the rule.",
    }),
    evaluationProblem: z.enum(evaluationProblems).nullable().meta({
      description:
        "Of a rule group whose last evaluation failed: too_costly where the rule took longer than a rule may, failed for any other reason. The members are then those of evaluatedAt, or an earlier time; it is tried again, less and less often. null otherwise.",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Group" });

export type GroupView = z.infer<typeof groupSchema>;

export function groupView(row: GroupRow): GroupView {
  return {
    id: publicId("grp", row.id),
    object: "group",
    name: row.name,
    externalId: row.external_id,
    description: row.description,
    kind: row.kind,
    rule: row.rule as Record<string, unknown> | null,
    memberCount: row.member_count,
    providedBy: row.provided_by && {
      connectorId: publicId("con", row.provided_by.id),
      name: row.provided_by.name,
    },
    fedBy: row.fed_by.map(({ id, name }) => ({ connectorId: publicId("con", id), name })),
    evaluatedAt: row.evaluated_at?.toISOString() ?? null,
    evaluationProblem: row.evaluation_problem,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The ETag of a group. Its members, and who adds them, are no part of it. */
export function groupTag(view: GroupView): string {
  return entityTag(view, ["memberCount", "fedBy", "evaluatedAt", "evaluationProblem", "updatedAt"]);
}

/** The facts of a group in events. */
export function groupFactsOf({ id, name, external_id, kind }: Pick<GroupRow, "id" | "name" | "external_id" | "kind">) {
  return { object: "group" as const, id: publicId("grp", id), name, externalId: external_id, kind };
}
