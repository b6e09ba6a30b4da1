import type { TxCtx } from "@/server/core/context";
import { DomainError, refusalOf } from "@/server/core/errors";
import { publicId, uuidOf, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import { claimStatusEntries } from "@/server/issuers/status/claim";
import { applyClock } from "./apply-clock";
import { carrySuspensions, requireReplaceable } from "./carry-suspension";
import { sourceOfReplacement, type Draft } from "./draft";
import type { IssueInput } from "./input";
import type { IssueContext } from "./issue-context";
import { lockLive } from "./load";
import { dueAt, liveStates } from "./states";
import { transition } from "./transition";
import { credentialFactsOf, type CredentialRow } from "./view";

/** The public reason of a credential that a newer one replaced. */
export const supersededReason = "Superseded by a newer credential.";

/** The public reason of a credential that was revoked because its holder was erased. */
export const erasedReason = "Erased at the holder's request";

/** An attempt fails only because another writer succeeded. This many failures in a row are no coincidence. */
const maxTries = 100;

export interface NewCredential {
  draft: Draft;
  ifExists: NonNullable<IssueInput["ifExists"]>;
}

export type Inserted = { row: CredentialRow; created: boolean } | { error: DomainError };

/**
 * Inserts drafts, at most one exclusive one for each subject and template. If the subject already holds a live
 * exclusive credential of the template, `ifExists` decides. The unique index prevents duplicates: any number of
 * identical concurrent issues make one credential. An existing credential that is past its expiry is expired first,
 * with its event. Emits credential.created; credential.issued for credentials that are valid now; credential.suspended
 * for those that replaced a suspended one. Academic credentials, and those with a signed QR code, get their index in
 * the status lists.
 *
 * @returns one outcome for each draft, in order. The error is credential_exists, conflict, or the reason why a
 * suspended credential is not replaced.
 */
export async function insertCredentials(ctx: TxCtx, wanted: NewCredential[]): Promise<Inserted[]> {
  const results = new Map<NewCredential, Inserted>();
  const replacedBy = new Map<NewCredential, CredentialRow>();
  let open = wanted;
  for (let tries = 0; open.length > 0 && tries < maxTries; tries++) {
    const made = await insert(
      ctx,
      open.map((each) => inPlaceOf(each.draft, replacedBy.get(each))),
    );
    for (const each of open) {
      const row = made.get(each.draft.id);
      if (row) results.set(each, { row, created: true });
    }
    open = open.filter((each) => !results.has(each));
    const replaced: { each: NewCredential; held: CredentialRow }[] = [];
    for (const { each, held } of await findHeld(ctx, open)) {
      if (each.ifExists === "return") results.set(each, { row: held, created: false });
      else if (each.ifExists === "fail") results.set(each, { error: alreadyHeld(held) });
      else {
        const error = refusalOf(() => requireReplaceable(ctx, held, each.draft));
        if (error) results.set(each, { error });
        else replaced.push({ each, held });
      }
    }
    await transition(
      ctx,
      replaced.map(({ each, held }) => ({ row: held, reason: supersededReason, supersededBy: each.draft.id })),
      "revoke",
    );
    for (const { each, held } of replaced) replacedBy.set(each, held);
    open = open.filter((each) => !results.has(each));
  }
  await carryOver(ctx, replacedBy, results);
  for (const each of open)
    results.set(each, {
      error: new DomainError("conflict", "Too many others are issuing this credential at the same moment. Try again."),
    });
  return wanted.map((each) => results.get(each)!);
}

const inPlaceOf = (draft: Draft, held: CredentialRow | undefined): Draft =>
  held ? { ...draft, supersedes: held.id, source: sourceOfReplacement(held, draft.source) } : draft;

/** Suspends the credentials that replaced suspended ones. */
async function carryOver(
  ctx: TxCtx,
  replacedBy: Map<NewCredential, CredentialRow>,
  results: Map<NewCredential, Inserted>,
): Promise<void> {
  const pairs = [...replacedBy].flatMap(([each, before]) => {
    const made = results.get(each);
    return made && "row" in made && made.created ? [{ each, before, row: made.row }] : [];
  });
  const rows = await carrySuspensions(ctx, pairs);
  for (const [i, { each }] of pairs.entries()) results.set(each, { row: rows[i]!, created: true });
}

export function alreadyHeld(held: CredentialRow): DomainError {
  const credentialId = publicId("crd", held.id);
  return new DomainError(
    "credential_exists",
    `The subject holds the credential ${credentialId} of this template. Send ifExists to have it returned or replaced.`,
    {
      members: { credentialId },
    },
  );
}

/**
 * Finds and locks the live credentials that conflict with the drafts. Leaves out a credential that another writer or
 * the clock has ended in the meantime.
 */
export async function findHeld<Wanted extends { draft: Draft }>(
  ctx: TxCtx,
  wanted: Wanted[],
): Promise<{ each: Wanted; held: CredentialRow }[]> {
  if (wanted.length === 0) return [];
  const rows = await applyClock(
    ctx,
    await lockLive(
      ctx,
      wanted.map(({ draft: { context } }) => ({ subjectId: context.subject.id, templateId: context.templateId })),
    ),
  );
  const keyOf = (subjectId: Id<"sub">, templateId: Id<"tpl">) => `${uuidOf(subjectId)} ${uuidOf(templateId)}`;
  const live = new Map(
    rows.filter((row) => liveStates.includes(row.state)).map((row) => [keyOf(row.subject_id, row.template_id), row]),
  );
  return wanted.flatMap((each) => {
    const held = live.get(keyOf(each.draft.context.subject.id, each.draft.context.templateId));
    return held ? [{ each, held }] : [];
  });
}

/** Whether a credential has an index in the status lists, for verifiers of its signature. */
const isListed = ({ kind, signedQr }: IssueContext) => kind === "academic" || signedQr;

/**
 * The holder for the document of an academic credential, as the subject was when it was issued. A later change of the
 * person, or another person in the same record, does not change what was signed (contract section 6). Null for other
 * kinds.
 */
const recipientOf = ({ kind, subject }: IssueContext) =>
  kind === "academic" ? { email: subject.email, externalId: subject.external_id } : null;

/** @returns the credentials that were stored, by their ids. */
async function insert(ctx: TxCtx, drafts: Draft[]): Promise<Map<Id<"crd">, CredentialRow>> {
  const sent = drafts.map(({ context, source, ...columns }) => ({
    ...columns,
    subject_id: context.subject.id,
    template_id: context.templateId,
    template_version_id: context.versionId,
    achievement_version_id: context.achievementVersionId,
    kind: context.kind,
    listed: isListed(context),
    recipient: recipientOf(context),
    source_type: source.type,
    source_id: source.id,
  }));
  const rows = await ctx.tx.sql<Omit<CredentialRow, "external_id" | "subject_erased_at" | "channels">>(
    insertStatement,
    [ctx.orgId, JSON.stringify(sent), ctx.now, ctx.actor],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const made = new Map<Id<"crd">, CredentialRow>();
  for (const { id, context } of drafts) {
    const row = byId.get(id);
    if (row)
      made.set(id, {
        ...row,
        external_id: context.subject.external_id,
        subject_erased_at: context.subject.erased_at,
        channels: [],
      });
  }
  for (const row of made.values()) {
    const due = dueAt(row);
    if (due) ctx.tx.nudgeAfterCommit("credentials", due);
  }
  await claimStatusEntries(
    ctx,
    drafts.filter(({ id, context }) => made.has(id) && isListed(context)).map(({ id }) => id),
  );
  ctx.tx.wrote("credentials", made.size);
  await appendAll(
    ctx,
    [...made.values()].flatMap((row) => {
      const event = { resourceId: row.id, object: credentialFactsOf(row) };
      return [
        { type: "credential.created" as const, ...event },
        ...(row.state === "active" ? [{ type: "credential.issued" as const, ...event }] : []),
      ];
    }),
  );
  return made;
}

// In a fixed order, so that two sets with the same people cannot deadlock. The first entry of a credential's history
// has the credential's id: ids sort by time, and this entry is the oldest.
const insertStatement = `
WITH made AS (
  INSERT INTO credentials (org_id, id, code, subject_id, template_id, template_version_id, achievement_version_id, kind, state, data, valid_from,
    issued_at, expires_at, expiry_explicit, supersedes, source_type, source_id, metadata, exclusive, listed, recipient, created_at, updated_at)
  SELECT $1, id, code, subject_id, template_id, template_version_id, achievement_version_id, kind, state, data, valid_from,
    issued_at, expires_at, expiry_explicit, supersedes, source_type, source_id, merge_attributes('{}', metadata), exclusive, listed, recipient, $3, $3
  FROM json_to_recordset($2::json) AS draft (id uuid, code text, subject_id uuid, template_id uuid, template_version_id uuid, achievement_version_id uuid, kind text, state text,
    data jsonb, valid_from timestamptz, issued_at timestamptz, expires_at timestamptz, expiry_explicit boolean, supersedes uuid,
    source_type text, source_id text, metadata jsonb, exclusive boolean, listed boolean, recipient jsonb)
  ORDER BY subject_id, template_id
  ON CONFLICT (org_id, subject_id, template_id) WHERE exclusive AND state IN ('pending', 'active', 'suspended') DO NOTHING
  RETURNING *
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, actor, created_at)
  SELECT $1, id, id, CASE state WHEN 'active' THEN 'issued' ELSE 'created' END, NULL, state, $4, $3 FROM made
)
SELECT * FROM made`;
