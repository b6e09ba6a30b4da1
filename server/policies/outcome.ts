import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { configOf } from "./config";
import { effects } from "./exception-view";
import { sent } from "./plan/people";
import { plansOf, type Plans } from "./plan/plans";
import { actions, type Action } from "./run-view";
import type { PolicyRow } from "./view";

/** What a policy decides about one person, and what an apply would do. */
export const outcomeFields = {
  meant: z
    .boolean()
    .meta({ description: "Whether the person matches the rule or is in the group. Inactive people never match." }),
  wanted: z
    .boolean()
    .meta({ description: "Whether the person should hold a credential: they match, or an exception grants it." }),
  action: z.enum([...actions, "none"]).meta({ description: "What an apply would do now." }),
  credentialId: z
    .string()
    .nullable()
    .meta({ description: "The credential that the action is about, if they have one." }),
  exception: z.object({ effect: z.enum(effects), reason: z.string(), until: z.iso.datetime().nullable() }).nullable(),
  lapsedSince: z.iso
    .datetime()
    .nullable()
    .meta({ description: "Since when the person no longer matches, while their grace lasts." }),
  graceUntil: z.iso.datetime().nullable().meta({
    description: "For the action grace: until when they keep their credential if nothing changes.",
  }),
};

export type Outcome = z.output<z.ZodObject<typeof outcomeFields>>;

interface Part {
  action: Action;
  id: Id<"crd"> | null;
}
interface OutcomeRow {
  meant: boolean;
  wanted: boolean;
  granted: Part | null;
  ended: Part | null;
  graced: Part | null;
  since: Date | null;
  exception: Outcome["exception"];
}

/** Decides about one person in one statement, built from the same SQL as previews and runs. */
export async function outcomeFor(ctx: Ctx, policy: PolicyRow, subjectId: Id<"sub">, known?: Plans): Promise<Outcome> {
  const { sql } = reading(ctx);
  const plans =
    known ?? (await plansOf(sql, { orgId: ctx.orgId, policyId: policy.id, config: configOf(policy), now: ctx.now }));
  const plan = plans.fresh();
  const who = `${plan.parameter(subjectId)}::uuid`;
  const [id, now] = [`${plan.parameter(policy.id)}::uuid`, `${plan.parameter(ctx.now)}::timestamptz`];
  const of = (text: string, column: string) =>
    `(SELECT json_build_object('action', part.action, 'id', part.credential_id) FROM (${text} AND ${column} = ${who}) part LIMIT 1)`;
  const text = `SELECT ${plan.matches()} IS TRUE AS meant, ${plan.wanted()} IS TRUE AS wanted,
      ${of(plan.grants(), "s.id")} AS granted, ${of(plan.exits(), "c.subject_id")} AS ended, ${of(plan.graces(), "c.subject_id")} AS graced,
      ${plan.lapsedSince("s.id")} AS since,
      (SELECT json_build_object('effect', e.effect, 'reason', e.reason, 'until', e.until) FROM policy_exceptions e
       WHERE e.org_id = $1 AND e.policy_id = ${id} AND e.subject_id = s.id AND (e.until IS NULL OR e.until > ${now})) AS exception
    FROM subjects s WHERE s.org_id = $1 AND s.id = ${who}`;
  const [row] = await sql<OutcomeRow>(text, ...sent(plan));
  const { meant, wanted, granted, ended, graced, since, exception } = row!;
  const part = granted ?? ended ?? graced;
  const until = exception?.until;
  return {
    meant,
    wanted,
    action: part?.action ?? "none",
    credentialId: publicId("crd", part?.id ?? null),
    exception: exception && { ...exception, until: until ? new Date(until).toISOString() : null },
    lapsedSince: since?.toISOString() ?? null,
    graceUntil: part?.action === "grace" ? plan.graceUntil(since).toISOString() : null,
  };
}
