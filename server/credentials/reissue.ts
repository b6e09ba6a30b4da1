import { z } from "zod";
import type { Ctx, TxCtx } from "@/server/core/context";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { newId, publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { requireAward } from "@/server/achievements/award";
import { requireKeptResults, requireResults } from "@/server/achievements/required-results";
import { requireFormats } from "@/server/templates/entered-formats";
import { carrySuspensions, requireReplaceable } from "./carry-suspension";
import { draft, sourceOf, sourceOfReplacement } from "./draft";
import { publicReason, terms } from "./input";
import { loadCredential, loadForChange } from "./load";
import { insertCredentials, supersededReason } from "./insert-credentials";
import { resolveContext } from "./issue-context";
import { liveStates } from "./states";
import { transition } from "./transition";
import {
  credentialColumns,
  credentialFactsOf,
  credentialTag,
  credentialView,
  joinSubject,
  type CredentialRow,
} from "./view";

const reissueInput = z.strictObject({
  id: id("crd"),
  ifMatch,
  ...terms,
  linkPublicly: z.boolean().default(false).meta({
    description:
      "Whether the old credential's page and verification name the new one. Leave it false where whoever has the old code must not find the new one: a lost card, a changed name.",
  }),
  reason: publicReason.optional().meta({ description: "Public: why the one before is no longer valid." }),
});

type ReissueInput = z.output<typeof reissueInput>;

/**
 * Replaces a credential in any state by a new one for the same subject, from the template's current version. A live
 * predecessor is revoked as superseded. The new credential keeps, unless the request sends them, `data` and `metadata`,
 * a future start, the day of an academic award, and a future expiry that somebody chose. A suspension is carried over
 * with its reason, which requires the scope credentials:revoke too. A policy's credential stays the policy's. Only with
 * `linkPublicly` the public learns which credential is the new one. Emits credential.revoked for the predecessor
 * (credential.updated if it had already ended), and credential.created and credential.issued for the new credential.
 *
 * @throws DomainError name_changed if `linkPublicly` would link two different names; data_outdated if kept results or
 * credits do not fit the present version of the achievement
 */
export const reissueCredential = command({
  name: "credentials.reissue",
  scope: "credentials:issue",
  input: reissueInput,
  tag: credentialTag,
  run: reissue,
});

async function reissue(ctx: TxCtx, input: ReissueInput) {
  // Lock the subject before the credential, as every issue does.
  const seen = await loadCredential(ctx, input.id);
  const context = await resolveContext(ctx, {
    subject: { id: seen.subject_id },
    templateId: seen.template_id,
    formerAchievementId: await achievementOf(ctx, seen),
  });
  const before = await loadForChange(ctx, input.id);
  requireMatch(input.ifMatch, credentialTag(credentialView(before, ctx.now)));
  if (before.superseded_by !== null) {
    throw new DomainError(
      "credential_state",
      `The credential was superseded by ${publicId("crd", before.superseded_by)}; reissue that one.`,
      {
        members: {
          credentialId: publicId("crd", before.id),
          state: before.state,
          action: "reissue",
          supersededBy: publicId("crd", before.superseded_by),
        },
      },
    );
  }
  const { subject: _, attributes: __, ...data } = before.data;
  // Kept data may have been stored before its fields had formats, so only data that was sent is checked.
  if (input.data) requireFormats(context.formats, input.data);
  if (context.kind === "academic") {
    if (input.data)
      requireAward(input.data, {
        now: ctx.now,
        validFrom: input.validFrom ?? before.valid_from,
        criteriaUrl: context.resultRules?.criteriaUrl ?? null,
      });
    // The achievement's present version decides which results and credits can be signed, also for kept data.
    if (input.data) requireResults(context.resultRules, input.data);
    else requireKeptResults(context.resultRules, data, publicId("crd", before.id));
  }
  const validFrom = input.validFrom ?? (keepsStart(ctx, before) ? before.valid_from : undefined);
  const next = {
    ...draft(
      ctx,
      context,
      {
        ...input,
        validFrom,
        ...keptExpiry(ctx, before, { ...input, validFrom }),
        data: input.data ?? data,
        metadata: input.metadata ?? before.metadata,
      },
      sourceOfReplacement(before, sourceOf(ctx)),
    ),
    supersedes: before.id,
  };
  requireReplaceable(ctx, before, next);
  if (input.linkPublicly && (await namesDiffer(ctx, before, next.data))) {
    throw new DomainError(
      "name_changed",
      "The holder's name has changed since the credential was issued. A link from the old page would lead from one name to the other. Reissue it with linkPublicly: false.",
      {
        members: { credentialId: publicId("crd", before.id) },
      },
    );
  }
  if (liveStates.includes(before.state))
    await transition(
      ctx,
      [
        {
          row: before,
          reason: input.reason ?? supersededReason,
          supersededBy: next.id,
          linkPublicly: input.linkPublicly,
        },
      ],
      "revoke",
    );
  else await linkEnded(ctx, before, next.id, input.linkPublicly);
  const [inserted] = await insertCredentials(ctx, [{ draft: next, ifExists: "fail" }]);
  if ("error" in inserted!) throw inserted.error;
  const [row] = await carrySuspensions(ctx, [{ before, row: inserted!.row }]);
  return credentialView(row!, ctx.now);
}

/** The achievement that a credential states; null for none. */
async function achievementOf(ctx: TxCtx, { achievement_version_id }: CredentialRow): Promise<Id<"ach"> | null> {
  if (achievement_version_id === null) return null;
  const [row] = await ctx.tx.sql<{ achievement_id: Id<"ach"> }>(
    `SELECT achievement_id FROM achievement_versions WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, achievement_version_id],
  );
  return row!.achievement_id;
}

/**
 * Whether the new credential starts when the old one did: an academic one states the day of the award, which a
 * corrected name does not change. An expired one is awarded again.
 */
const keepsStart = (ctx: Ctx, { state, kind, expires_at }: CredentialRow): boolean =>
  state === "pending" || (kind === "academic" && (expires_at === null || expires_at > ctx.now));

/**
 * Returns the expiry that somebody chose, unless it has passed; nothing if the request sends one or the template
 * decides.
 */
function keptExpiry(
  ctx: TxCtx,
  before: CredentialRow,
  { expiresAt, validFrom = ctx.now }: ReissueInput,
): { expiresAt?: Date | null } {
  if (expiresAt !== undefined || !before.expiry_explicit) return {};
  const kept = before.expires_at;
  return kept === null || (kept > ctx.now && kept > validFrom) ? { expiresAt: kept } : {};
}

/**
 * Whether the old and the new credential name their holder differently. An academic credential keeps the name of its
 * issue. Any other credential was issued to the name of its day, which may have changed since.
 */
async function namesDiffer(ctx: TxCtx, before: CredentialRow, data: Record<string, unknown>): Promise<boolean> {
  if (before.kind === "academic") return nameIn(before.data) !== nameIn(data);
  const [holder] = await ctx.tx.sql<{ name_at: Date | null }>(
    `SELECT name_at FROM subjects WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, before.subject_id],
  );
  return holder!.name_at !== null && holder!.name_at > before.created_at;
}

/** Returns the name in the snapshot of an academic credential. */
function nameIn({ subject }: Record<string, unknown>): unknown {
  return (subject as { displayName?: unknown } | undefined)?.displayName;
}

async function linkEnded(
  ctx: TxCtx,
  before: CredentialRow,
  supersededBy: Id<"crd">,
  linkPublicly: boolean,
): Promise<void> {
  const [row] = await ctx.tx.sql<CredentialRow>(linkStatement, [
    ctx.orgId,
    before.id,
    supersededBy,
    ctx.now,
    newId("crh"),
    ctx.actor,
    linkPublicly,
  ]);
  await append(ctx, {
    type: "credential.updated",
    resourceId: before.id,
    object: credentialFactsOf(row!),
    previous: { supersededBy: null },
  });
}

const linkStatement = `
WITH changed AS (
  UPDATE credentials SET superseded_by = $3, linked_publicly = $7, updated_at = $4 WHERE org_id = $1 AND id = $2 RETURNING *
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, actor, created_at)
  SELECT $1, $5, id, 'updated', state, state, $6, $4 FROM changed
)
SELECT ${credentialColumns} FROM changed c ${joinSubject}`;
