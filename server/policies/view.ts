import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { ruleSchema } from "@/server/rules/input";
import type { Rule } from "@/server/rules/rule";
import { configOf } from "./config";
import { isOfPolicy } from "./plan/plan-hash";
import { blastRadius, exits, reentries, renewal } from "./input";
import { runColumns, runSchema, runView, type RunRow } from "./run-view";
import type { Schedule } from "@/server/core/schedule";

export const policyStatuses = ["active", "paused", "halted"] as const;
export type PolicyStatus = (typeof policyStatuses)[number];

/** A row of `policies`. */
export interface PolicyRow {
  id: Id<"pol">;
  name: string;
  template_id: Id<"tpl">;
  group_id: Id<"grp"> | null;
  rule: Rule | null;
  on_exit: (typeof exits)[number];
  reentry: (typeof reentries)[number];
  grace_days: number;
  schedule: Schedule | null;
  blast_radius: z.output<typeof blastRadius>;
  renewal: z.output<typeof renewal> | null;
  status: PolicyStatus;
  halted_at: Date | null;
  next_run_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const policyColumns =
  "id, name, template_id, group_id, rule, on_exit, reentry, grace_days, schedule, blast_radius, renewal, status, halted_at, next_run_at, created_at, updated_at";

export type ShownPolicy = PolicyRow & { last: LastRun | null };
type LastRun = {
  [Column in keyof RunRow]: Date extends RunRow[Column] ? string | Extract<RunRow[Column], null> : RunRow[Column];
};

/** SQL: the columns of ShownPolicy: a row of `policies` and its newest run. */
export const shownColumns = `${policyColumns}, (
  SELECT to_json(run) FROM (
    SELECT ${runColumns} FROM policy_runs WHERE policy_runs.org_id = policies.org_id AND policy_runs.policy_id = policies.id ORDER BY id DESC LIMIT 1
  ) run) AS last`;

export const policySchema = z
  .object({
    id: z.string(),
    object: z.literal("policy"),
    name: z.string(),
    templateId: z.string(),
    groupId: z
      .string()
      .nullable()
      .meta({ description: "Who gets a credential: the members of this group, or the people who match the rule." }),
    rule: ruleSchema.nullable(),
    onExit: z.enum(exits),
    reentry: z.enum(reentries),
    graceDays: z.int(),
    schedule: z.object({ cron: z.string(), timeZone: z.string() }).nullable(),
    blastRadius,
    renewal: renewal.nullable(),
    status: z.enum(policyStatuses).meta({
      description: "paused: does nothing until it is resumed. halted: its last run waits for approval.",
    }),
    haltedSince: z.iso.datetime().nullable(),
    planOutdated: z.boolean().meta({
      description:
        "The policy was changed since its last run was halted: that run can no longer be approved. Apply the policy again.",
    }),
    nextRunAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "By the schedule; null where there is none, or while paused." }),
    lastRun: runSchema.nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Policy" });
export type PolicyView = z.output<typeof policySchema>;

export function policyView(row: ShownPolicy): PolicyView {
  return {
    id: publicId("pol", row.id),
    object: "policy",
    name: row.name,
    templateId: publicId("tpl", row.template_id),
    groupId: publicId("grp", row.group_id),
    rule: row.rule as Record<string, unknown> | null,
    onExit: row.on_exit,
    reentry: row.reentry,
    graceDays: row.grace_days,
    schedule: row.schedule,
    blastRadius: row.blast_radius,
    renewal: row.renewal,
    status: row.status,
    haltedSince: row.halted_at?.toISOString() ?? null,
    planOutdated: row.last?.status === "halted" && !isOfPolicy(row.last.plan_hash ?? "", configOf(row)),
    nextRunAt: row.status === "paused" ? null : (row.next_run_at?.toISOString() ?? null),
    lastRun: row.last && runView(readDates(row.last)),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Times within JSON are texts. */
function readDates(run: LastRun): RunRow {
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...run,
    created_at: new Date(run.created_at),
    started_at: date(run.started_at),
    finished_at: date(run.finished_at),
  };
}

/** The ETag of a policy. It covers what callers can change, not what runs write. */
export const policyTag = (view: PolicyView): string =>
  entityTag(view, ["updatedAt", "lastRun", "nextRunAt", "haltedSince", "planOutdated", "status", "matches"]);
