import { resultRulesJson, type ResultRules } from "@/server/achievements/required-results";
import type { TxCtx } from "@/server/core/context";
import { DomainError, notFound, refusalOf } from "@/server/core/errors";
import { publicId, uuidOf, type Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { requireScope } from "@/server/core/operation";
import { subjectErased } from "@/server/subjects/erased";
import type { UpsertInput } from "@/server/subjects/input";
import { lockOrder } from "@/server/subjects/lock-set";
import { subjectColumns, type SubjectRow } from "@/server/subjects/view";
import { writeSubjects, type WrittenSubject } from "@/server/subjects/write";
import { achievementNotPublished } from "@/server/templates/achievement";
import type { EnteredFormat } from "@/server/templates/entered-formats";
import type { Validity } from "@/server/templates/validity";
import type { TemplateKind } from "@/server/templates/view";
import type { IssueInput } from "./input";

/**
 * The template and subject from which a credential is issued. The subject is locked, so that it is neither deleted nor
 * changed before the credential is inserted.
 */
export interface IssueContext {
  subject: SubjectRow;
  templateId: Id<"tpl">;
  kind: TemplateKind;
  /** Whether a subject can hold several live credentials of the template. */
  repeatable: boolean;
  /** Whether holders confirm their name before anything is signed. */
  confirmName: boolean;
  /** Whether a holder confirms the name for a credential of the template. */
  hasAsks: boolean;
  versionId: Id<"tpv">;
  /** The current version of the stated achievement; null for none. */
  achievementVersionId: Id<"acv"> | null;
  validity: Validity;
  /** The organisation's time zone, for the validity. */
  timeZone: string;
  /** What the version's design reads from a subject. */
  bindings: string[];
  /** The data fields of the form for issuing that have a format. */
  formats: EnteredFormat[];
  /** Whether its QR code holds a signed statement. */
  signedQr: boolean;
  /** The achievement's rules for results; null for a credential without an achievement. */
  resultRules: ResultRules | null;
}

interface TemplateContext extends Omit<IssueContext, "subject" | "versionId" | "achievementVersionId" | "resultRules"> {
  status: string;
  /** The achievement that the current version names. */
  achievementId: Id<"ach"> | null;
  versionId: Id<"tpv"> | null;
}

/** The result for one input of a set. */
export type Resolved =
  | { context: IssueContext; wroteSubject: boolean }
  | { error: DomainError; wroteSubject: boolean }
  /** An earlier input of the set has the same subject: resolve this one after that one has been issued. */
  | "later";

type Wanted = Pick<IssueInput, "subject" | "templateId" | "achievementId"> & {
  /** The achievement of the credential that is reissued, used if the template names none. */
  formerAchievementId?: Id<"ach"> | null;
};

/**
 * Finds or upserts the subjects of a set of inputs and finds the current versions of their templates, with a few
 * statements for any number of inputs. The error of an input is one of: not_found, subject_erased, subject_inactive,
 * template_not_published, template_archived, achievement_not_published; insufficient_scope if the subject would be written and the actor lacks
 * subjects:write; invalid_request if the subject's attributes would grow too large.
 * @returns one result for each input, in their order. The caller undoes what was written for an input that has an
 *   error.
 */
export async function resolveContexts(ctx: TxCtx, inputs: Wanted[]): Promise<Resolved[]> {
  const [templates, found] = await Promise.all([loadTemplates(ctx, inputs), lockSubjects(ctx, inputs)]);
  const achievements = await loadAchievements(
    ctx,
    inputs.flatMap((input) => statedBy(input, templates.get(input.templateId)) ?? []),
  );
  const results: (Resolved | undefined)[] = inputs.map(() => undefined);
  const taken = new Set<Id<"sub"> | string>();
  const upserts = new Map<number, UpsertInput>();
  for (const [
    i,
    {
      subject: { id, externalId, ...fields },
      templateId,
    },
  ] of inputs.entries()) {
    const subject = found[i];
    const key = subject?.id ?? id ?? externalId!;
    if (taken.has(key)) {
      results[i] = "later";
      continue;
    }
    taken.add(key);
    if (externalId === undefined || (subject && Object.keys(fields).length === 0)) continue;
    const error = refusalOf(() => {
      // A missing template is reported first: without subjects:write, the error is then the same whether or not the
      // subject must be written.
      if (!ctx.scopes.has("subjects:write") && !templates.has(templateId))
        throw notFound("template", publicId("tpl", templateId));
      requireScope(ctx, "subjects:write");
    });
    if (error) results[i] = { error, wroteSubject: false };
    else upserts.set(i, { externalId, ...fields });
  }
  const written: Map<string, WrittenSubject> =
    upserts.size > 0 ? await writeSubjects(ctx, [...upserts.values()]) : new Map();
  return inputs.map((input, i) => {
    const known = results[i];
    if (known) return known;
    const upsert = upserts.get(i);
    const result = upsert && written.get(upsert.externalId)!;
    if (result && "error" in result) return { error: result.error, wroteSubject: result.wrote };
    const wroteSubject = result !== undefined && result.outcome !== "unchanged";
    try {
      return {
        context: contextOf(templates.get(input.templateId), achievements, result?.row ?? found[i], input),
        wroteSubject,
      };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { error, wroteSubject };
    }
  });
}

/** Does what resolveContexts does, for one input. @throws DomainError */
export async function resolveContext(ctx: TxCtx, input: Wanted): Promise<IssueContext> {
  const [resolved] = (await resolveContexts(ctx, [input])) as [Exclude<Resolved, "later">];
  if ("error" in resolved) throw resolved.error;
  return resolved.context;
}

function contextOf(
  template: TemplateContext | undefined,
  achievements: Map<Id<"ach">, AchievementContext>,
  subject: SubjectRow | undefined,
  input: Wanted,
): IssueContext {
  const {
    templateId,
    subject: { id },
  } = input;
  if (!template) throw notFound("template", publicId("tpl", templateId));
  if (!subject) throw notFound("subject", publicId("sub", id!));
  const { status, versionId, achievementId: _, ...rest } = template;
  if (status === "archived")
    throw new DomainError(
      "template_archived",
      "Nothing is issued from an archived template. Publish a version of it, or bring one back.",
    );
  if (versionId === null)
    throw new DomainError("template_not_published", "The template has no published version. Publish one first.");
  if (subject.erased_at) throw subjectErased();
  if (subject.status !== "active") {
    throw new DomainError(
      "subject_inactive",
      "The subject is inactive, and an inactive subject gets no credentials. Set its status to active first.",
      {
        members: { subjectId: publicId("sub", subject.id) },
      },
    );
  }
  const achievement = achievementOf(input, template, achievements);
  return {
    ...rest,
    subject,
    versionId,
    achievementVersionId: achievement?.versionId ?? null,
    resultRules: achievement?.resultRules ?? null,
  };
}

interface AchievementContext {
  name: string;
  /** The current version; null without one. */
  versionId: Id<"acv"> | null;
  resultRules: ResultRules | null;
}

/** The achievement that the new credential will state; null for none. */
function statedBy(input: Wanted, template: TemplateContext | undefined): Id<"ach"> | null {
  if (template?.kind !== "academic") return null;
  return template.achievementId ?? input.achievementId ?? input.formerAchievementId ?? null;
}

function achievementOf(
  input: Wanted,
  template: TemplateContext,
  achievements: Map<Id<"ach">, AchievementContext>,
): AchievementContext | null {
  const stated = statedBy(input, template);
  if (input.achievementId !== undefined && (stated === null || uuidOf(stated) !== uuidOf(input.achievementId)))
    throw invalidInput([
      {
        pointer: "/achievementId",
        code: "invalid_value",
        message:
          stated === null
            ? `must be left out: credentials of the kind ${template.kind} state no achievement`
            : `must be left out: the template names the achievement ${publicId("ach", stated)}`,
      },
    ]);
  if (stated === null) return null;
  const achievement = achievements.get(stated);
  if (!achievement) throw notFound("achievement", publicId("ach", stated));
  if (achievement.versionId === null) throw achievementNotPublished(stated, achievement.name);
  return achievement;
}

/** Finds the current versions of achievements. */
async function loadAchievements(ctx: TxCtx, ids: Id<"ach">[]): Promise<Map<Id<"ach">, AchievementContext>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.tx.sql<AchievementContext & { id: Id<"ach"> }>(
    `SELECT a.id, a.name, v.id AS "versionId", v.rules AS "resultRules" FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM achievements WHERE org_id = $1 AND achievements.id = given.id OFFSET 0) a
     LEFT JOIN LATERAL (
       SELECT id, ${resultRulesJson("achievement_versions")} AS rules FROM achievement_versions
       WHERE org_id = $1 AND achievement_id = a.id AND version = a.current_version OFFSET 0
     ) v ON true`,
    [ctx.orgId, [...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function loadTemplates(ctx: TxCtx, inputs: Wanted[]): Promise<Map<Id<"tpl">, TemplateContext>> {
  const rows = await ctx.tx.sql<TemplateContext>(
    `SELECT t.id AS "templateId", t.kind, t.repeatable, t.confirm_name AS "confirmName", EXISTS (SELECT FROM name_confirmations n WHERE n.org_id = t.org_id AND n.template_id = t.id AND n.state = 'waiting' OFFSET 0) AS "hasAsks", t.status, v.id AS "versionId", v.validity, v.bindings, v.formats, v.achievement_id AS "achievementId", v.signed_qr AS "signedQr", o.time_zone AS "timeZone"
     FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM templates WHERE org_id = $1 AND templates.id = given.id OFFSET 0) t
     CROSS JOIN LATERAL (SELECT time_zone FROM organisations WHERE id = $1 OFFSET 0) o
     LEFT JOIN LATERAL (SELECT id, validity, bindings, formats, achievement_id, signed_qr FROM template_versions WHERE org_id = $1 AND template_id = t.id AND version = t.current_version OFFSET 0) v ON true`,
    [ctx.orgId, [...new Set(inputs.map(({ templateId }) => templateId))]],
  );
  return new Map(rows.map((row) => [row.templateId, row]));
}

/** Locks the existing subjects in the order of lock-set.ts, so that two sets with the same people cannot deadlock. */
export async function lockSubjects(ctx: TxCtx, inputs: Pick<Wanted, "subject">[]): Promise<(SubjectRow | undefined)[]> {
  // A subject that will be upserted is locked in the upsert's mode at once: two transactions that share a lock would
  // deadlock.
  const isUpsert = inputs.some(({ subject }) => Object.keys(subject).length > 1);
  const [only, ...others] = inputs;
  if (only && others.length === 0) {
    // A single issue has no order to keep: a plain look-up is cheaper than the statement for sets.
    const { id, externalId } = only.subject;
    const by = id === undefined ? "external_id" : "id";
    return ctx.tx.sql<SubjectRow>(
      `SELECT ${subjectColumns} FROM subjects WHERE org_id = $1 AND ${by} = $2 FOR ${isUpsert ? "NO KEY UPDATE" : "SHARE"}`,
      [ctx.orgId, id ?? externalId],
    );
  }
  const rows = await ctx.tx.sql<SubjectRow & { n: number }>(isUpsert ? lockForUpdate : lockForShare, [
    ctx.orgId,
    inputs.map(({ subject }) => subject.id ?? null),
    inputs.map(({ subject }) => subject.externalId ?? null),
  ]);
  const found: (SubjectRow | undefined)[] = inputs.map(() => undefined);
  for (const { n, ...row } of rows) found[n - 1] = row;
  return found;
}

const lockStatement = (lock: string) => `
WITH found AS MATERIALIZED (
  SELECT given.n, known.id FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS given (id, external_id, n)
  CROSS JOIN LATERAL (
    SELECT id, external_id FROM subjects WHERE org_id = $1 AND subjects.id = given.id
    UNION ALL SELECT id, external_id FROM subjects WHERE org_id = $1 AND subjects.external_id = given.external_id OFFSET 0
  ) known ORDER BY ${lockOrder("known")}
)
SELECT found.n::int, subject.* FROM found
CROSS JOIN LATERAL (SELECT ${subjectColumns} FROM subjects WHERE org_id = $1 AND subjects.id = found.id ${lock}) subject`;

const lockForShare = lockStatement("FOR SHARE");
const lockForUpdate = lockStatement("FOR NO KEY UPDATE");
