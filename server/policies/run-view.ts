import { z } from "zod";
import type { Actor, Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";

export const runStatuses = ["running", "waiting", "completed", "halted", "failed", "discarded"] as const;
export type RunStatus = (typeof runStatuses)[number];

export const actions = [
  "issue",
  "confirming",
  "keep",
  "foreign",
  "renew",
  "resume",
  "suspend",
  "revoke",
  "grace",
  "blocked",
] as const;
export type Action = (typeof actions)[number];

/** What a run did, or would do. `refused` counts the issues, resumes and renewals that failed; `refusal` has an example. */
export type Counts = Partial<Record<Action | "refused", number>>;

/** Why a run was halted. */
export interface Halt {
  reason: "limit" | "collapse" | "changed";
  /** How many credentials may be ended within 24 hours. */
  limit: number;
  /** How many credentials the run would end. */
  affected: number;
  /** How many credentials were ended in the last 24 hours without approval. */
  recent: number;
  /** How many people held the policy's credential 24 hours ago. */
  holders: number;
  message: string;
  /** Likely causes, each a sentence. */
  causes: string[];
}

/** The columns of `policy_runs` that callers see. */
export interface RunRow {
  id: Id<"plr">;
  policy_id: Id<"pol">;
  status: RunStatus;
  trigger: "manual" | "schedule";
  actor: Actor;
  counts: Counts;
  plan_hash: string | null;
  halt: Halt | null;
  error: { code: string; message: string } | null;
  refusal: { code: string; message: string } | null;
  approved: boolean;
  waits_for: Id<"run"> | null;
  attempts: number;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}

export const runColumns =
  "id, policy_id, status, trigger, actor, counts, plan_hash, halt, error, refusal, approved, waits_for, attempts, created_at, started_at, finished_at";

const count = z.int();

export const countsSchema = z
  .object({
    issue: count,
    confirming: count.meta({
      description: "Are asked to confirm their name, and get their credential once they have.",
    }),
    keep: count.meta({ description: "Hold a credential of this policy that stays as it is." }),
    foreign: count.meta({
      description:
        "Hold a credential that this policy did not issue: it stays as it is, and this policy never ends it.",
    }),
    renew: count,
    resume: count,
    suspend: count,
    revoke: count,
    grace: count.meta({
      description: "No longer match, and keep their credential until the days of grace are over.",
    }),
    blocked: count.meta({
      description:
        "Match, but get none: a person or the API ended or suspended their credential, set its end, or cancelled the request to confirm the name.",
    }),
    refused: count.meta({ description: "Were to get one, and could not; see refusal." }),
  })
  .meta({ id: "PolicyCounts", description: "What a run did; of a halted one or a preview, what it would do." });

export const countsView = (counts: Counts): z.output<typeof countsSchema> => ({
  issue: 0,
  confirming: 0,
  keep: 0,
  foreign: 0,
  renew: 0,
  resume: 0,
  suspend: 0,
  revoke: 0,
  grace: 0,
  blocked: 0,
  refused: 0,
  ...counts,
});

export const haltSchema = z
  .object({
    reason: z.enum(["limit", "collapse", "changed"]).meta({
      description:
        "limit: more would be ended than may be within 24 hours. collapse: nobody matches the rule any more. changed: after waiting for a connector's file, the run would end credentials that the plan of its planHash does not.",
    }),
    limit: count.meta({ description: "Credentials that may be ended within 24 hours without a person." }),
    affected: count.meta({ description: "Credentials that would be ended." }),
    recent: count.meta({
      description:
        "Credentials that were ended in the last 24 hours without an approval, other than those of this plan.",
    }),
    holders: count.meta({
      description:
        "People who held a credential of the policy when the 24 hours began; if nobody did, everybody who has held one since.",
    }),
    message: z.string(),
    causes: z.array(z.string()).meta({ description: "What may be the cause, in sentences." }),
  })
  .meta({ id: "PolicyHalt" });

export const runSchema = z
  .object({
    id: z.string(),
    object: z.literal("policy_run"),
    policyId: z.string(),
    status: z.enum(runStatuses).meta({
      description:
        "waiting: for the run of a connector that is held or being applied. halted: nothing was changed; see halt. discarded: a person said no, or a newer run took its place.",
    }),
    trigger: z.enum(["manual", "schedule"]),
    actor: z.object({ type: z.string(), id: z.string() }).meta({
      description:
        "Who asked for it: a person, a key or an OAuth client, or the policy by its schedule. Of an approved run, who approved it.",
    }),
    counts: countsSchema,
    planHash: z.string().nullable().meta({ description: "Names what the run would suspend and revoke, for approve." }),
    halt: haltSchema.nullable(),
    approved: z.boolean().meta({ description: "A person has approved what was halted." }),
    waitsFor: z.string().nullable().meta({ description: "The run of a connector that is held or being applied." }),
    error: z.object({ code: z.string(), message: z.string() }).nullable().meta({ description: "Why the run failed." }),
    refusal: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "The first reason why a credential could not be issued, resumed or renewed." }),
    attempts: count.meta({
      description: "How often the present step was begun. More than 1: it failed before. The run fails after 10.",
    }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "PolicyRun" });

export type RunView = z.output<typeof runSchema>;

export function runView(row: RunRow): RunView {
  return {
    id: publicId("plr", row.id),
    object: "policy_run",
    policyId: publicId("pol", row.policy_id),
    status: row.status,
    trigger: row.trigger,
    actor: { type: row.actor.type, id: row.actor.id },
    counts: countsView(row.counts),
    planHash: row.plan_hash,
    halt: row.halt,
    approved: row.approved,
    waitsFor: publicId("run", row.waits_for),
    error: row.error,
    refusal: row.refusal,
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** @throws DomainError not_found, including for runs of other policies and organisations. */
export async function loadRun(
  ctx: Ctx,
  policyId: Id<"pol">,
  id: Id<"plr">,
  lock: "" | "FOR UPDATE" = "",
): Promise<RunRow> {
  const [row] = await reading(ctx).sql<RunRow>(
    `SELECT ${runColumns} FROM policy_runs WHERE org_id = $1 AND id = $2 AND policy_id = $3 ${lock}`,
    [ctx.orgId, id, policyId],
  );
  if (!row) throw notFound("policy run", publicId("plr", id));
  return row;
}
