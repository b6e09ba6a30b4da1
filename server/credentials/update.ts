import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { ifMatch } from "@/server/core/entity-tag";
import { DomainError, refusalOf } from "@/server/core/errors";
import { checkMergedMetadata, isLarger, metadata, tooLargeTogether } from "@/server/core/free-json";
import { newId, publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { appendAll } from "@/server/events/append";
import { subjectErased } from "@/server/subjects/erased";
import { requireAward } from "@/server/achievements/award";
import { requireResults, resultRulesJson, type ResultRules } from "@/server/achievements/required-results";
import { requireFormats, type EnteredFormat } from "@/server/templates/entered-formats";
import { changeOne, requireUnchanged, type Change } from "./change-set";
import { ahead } from "./draft";
import { credentialData, expiresAt } from "./input";
import { dueAt, liveStates } from "./states";
import {
  credentialColumns,
  credentialFactsOf,
  credentialTag,
  credentialView,
  joinSubject,
  verifyUrl,
  type CredentialRow,
} from "./view";

const maxDataKib = 64;

const updateInput = z.strictObject({ id: id("crd"), ifMatch, expiresAt, data: credentialData.optional(), metadata });
type UpdateInput = z.output<typeof updateInput>;

export const amendment: Change<UpdateInput> = { input: updateInput, check, write: writer({ isChosen: true }) };

/** Extends a credential by its template's validity: nobody chose that end, so it can be extended again. */
export const extension: Change<UpdateInput> = { input: updateInput, check, write: writer({ isChosen: false }) };

/**
 * Changes the expiry or the data of a live credential, or the metadata of any credential. `data` and `metadata` are
 * merged: objects deeply, and null removes a key. Emits credential.updated; nothing if nothing changed. An expired
 * credential cannot be extended; reissue it instead.
 */
export const updateCredential = command({
  name: "credentials.update",
  scope: "credentials:issue",
  input: updateInput,
  tag: credentialTag,
  async run(ctx, input) {
    return credentialView(await changeOne(ctx, amendment, input), ctx.now);
  },
});

function check(ctx: TxCtx, before: CredentialRow, input: UpdateInput): void {
  if (before.subject_erased_at) throw subjectErased();
  requireUnchanged(ctx, before, input.ifMatch);
  // Metadata is not part of what was issued, so it can be changed in any state.
  const changesTerms = input.expiresAt !== undefined || input.data !== undefined;
  if (changesTerms && !liveStates.includes(before.state)) {
    throw new DomainError(
      "credential_state",
      `The credential is ${before.state}; that does not allow update. Reissue it instead.`,
      {
        members: { credentialId: publicId("crd", before.id), state: before.state, action: "update" },
      },
    );
  }
  if (input.expiresAt === undefined) return;
  const until = ahead(ctx, input.expiresAt, before.valid_from);
  // Ending a suspended credential sooner allows a valid one to be issued, as revoking it does.
  if (before.state === "suspended" && until !== null && until < (before.expires_at ?? new Date(8.64e15)))
    requireScope(ctx, "credentials:revoke");
}

/** @param isChosen whether somebody chose the expiry, rather than the template */
function writer({ isChosen }: { isChosen: boolean }): Change<UpdateInput>["write"] {
  return (ctx, changes) => write(ctx, changes, isChosen);
}

async function write(
  ctx: TxCtx,
  changes: { row: CredentialRow; input: UpdateInput }[],
  isChosen: boolean,
): Promise<(CredentialRow | DomainError)[]> {
  if (changes.length === 0) return [];
  const unfit = await findUnfit(ctx, changes);
  // The caller repeats the remaining changes without the refused ones, so nothing needs to be written now.
  if (unfit.some((error) => error !== undefined)) return changes.map(({ row }, i) => unfit[i] ?? row);
  const rows = await ctx.tx.sql<CredentialRow>(updateStatement, [
    ctx.orgId,
    changes.map(({ row }) => row.id),
    changes.map(({ row, input }) => (input.expiresAt === undefined ? row.expires_at : input.expiresAt)),
    changes.map(({ input }) => input.data ?? {}),
    ctx.now,
    changes.map(() => newId("crh")),
    ctx.actor,
    changes.map(({ input }) => input.metadata ?? {}),
    isChosen,
  ]);
  const written = new Map(rows.map((row) => [row.id, row]));
  const results = changes.map(({ row }) => {
    const after = written.get(row.id);
    return after ? (refusalOf(() => checkMerged(after)) ?? after) : row;
  });
  for (const row of rows) {
    const due = dueAt(row);
    if (due) ctx.tx.nudgeAfterCommit("credentials", due);
  }
  await appendAll(
    ctx,
    changes.flatMap(({ row: before }) => {
      const row = written.get(before.id);
      if (!row) return [];
      return {
        type: "credential.updated" as const,
        resourceId: row.id,
        object: credentialFactsOf(row),
        ...(row.expires_at?.getTime() !== before.expires_at?.getTime() && {
          previous: { expiresAt: before.expires_at?.toISOString() ?? null },
        }),
      };
    }),
  );
  return results;
}

/** Checks the data that was sent against the formats of the version from which each credential was issued. */
async function findUnfit(
  ctx: TxCtx,
  changes: { row: CredentialRow; input: UpdateInput }[],
): Promise<(DomainError | undefined)[]> {
  const versionIds = new Set(changes.flatMap(({ row, input }) => (input.data ? [row.template_version_id] : [])));
  if (versionIds.size === 0) return [];
  const versions = await ctx.tx.sql<{ id: Id<"tpv">; formats: EnteredFormat[] }>(formatsStatement, [
    ctx.orgId,
    [...versionIds],
  ]);
  const formats = new Map(versions.map((version) => [version.id, version.formats]));
  const rules = await resultRulesOf(ctx, changes);
  return changes.map(({ row, input: { data } }) => {
    if (!data) return undefined;
    const stated = row.achievement_version_id && rules.get(row.achievement_version_id);
    return refusalOf(() => {
      requireFormats(formats.get(row.template_version_id)!, data);
      if (row.kind !== "academic") return;
      requireAward(data, {
        now: ctx.now,
        validFrom: row.valid_from,
        criteriaUrl: stated?.criteriaUrl ?? null,
        page: verifyUrl(row.code),
      });
      requireResults(stated ?? null, data);
    });
  });
}

/** The rules for results of the achievements that credentials state, by version. */
async function resultRulesOf(
  ctx: TxCtx,
  changes: { row: CredentialRow; input: UpdateInput }[],
): Promise<Map<Id<"acv">, ResultRules>> {
  const ids = new Set(changes.flatMap(({ row, input }) => (input.data && row.achievement_version_id) ?? []));
  if (ids.size === 0) return new Map();
  const versions = await ctx.tx.sql<{ id: Id<"acv">; rules: ResultRules }>(
    `SELECT v.id, v.rules FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (
       SELECT id, ${resultRulesJson("achievement_versions")} AS rules FROM achievement_versions WHERE org_id = $1 AND achievement_versions.id = given.id OFFSET 0
     ) v`,
    [ctx.orgId, [...ids]],
  );
  return new Map(versions.map(({ id, rules }) => [id, rules]));
}

const formatsStatement = `
SELECT v.id, v.formats FROM unnest($2::uuid[]) AS given (id)
CROSS JOIN LATERAL (SELECT id, formats FROM template_versions WHERE org_id = $1 AND template_versions.id = given.id OFFSET 0) v`;

/**
 * Checks the merged data, which may be too large although the sent and the stored data each fit. @throws DomainError
 * invalid_request
 */
function checkMerged(row: CredentialRow): void {
  // The snapshot of an academic credential is stored with the data, but has its own limit.
  const { subject: _, attributes: __, ...own } = row.data;
  if (isLarger(own, maxDataKib)) throw tooLargeTogether("/data", maxDataKib);
  checkMergedMetadata(row.metadata);
}

// A document or a signed QR code that was handed out states the former end. `shortened` tells verifiers that the end is
// now earlier (decision 527), for every credential in the status lists.
const updateStatement = `
WITH changed AS (
  UPDATE credentials c SET expires_at = target.expires_at, expiry_explicit = c.expiry_explicit OR $9 AND c.expires_at IS DISTINCT FROM target.expires_at,
    shortened = c.shortened OR c.listed AND coalesce(target.expires_at, 'infinity') < coalesce(c.expires_at, 'infinity'),
    data = merge_attributes(c.data, target.data), metadata = merge_attributes(c.metadata, target.metadata), updated_at = $5
  FROM unnest($2::uuid[], $3::timestamptz[], $4::jsonb[], $6::uuid[], $8::jsonb[]) WITH ORDINALITY AS target (id, expires_at, data, history_id, metadata, n)
  CROSS JOIN LATERAL (SELECT ctid AS tid FROM credentials WHERE org_id = $1 AND id = target.id OFFSET 0) locked
  WHERE c.ctid = locked.tid
    AND (c.expires_at, c.data, c.metadata) IS DISTINCT FROM (target.expires_at, merge_attributes(c.data, target.data), merge_attributes(c.metadata, target.metadata))
  RETURNING c.*, target.history_id
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, actor, created_at)
  SELECT $1, history_id, id, 'updated', state, state, $7, $5 FROM changed
)
SELECT ${credentialColumns} FROM changed c ${joinSubject}`;
