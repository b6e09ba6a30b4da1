import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { checkMergedMetadata, metadata } from "@/server/core/free-json";
import { newId, publicId } from "@/server/core/ids";
import { id, invalidInput } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { subjectErased } from "@/server/subjects/erased";
import { ahead } from "./draft";
import { credentialData, expiresAt } from "./input";
import { loadForChange } from "./load";
import { dueAt, liveStates } from "./states";
import {
  credentialColumns,
  credentialFactsOf,
  credentialTag,
  credentialView,
  joinSubject,
  type CredentialRow,
} from "./view";

const maxDataBytes = 64 * 1024;

/**
 * Changes the expiry or the data of a live credential, or the metadata of any. `data` and `metadata` are merged: deep
 * for objects, null removes a key. Emits credential.updated; nothing where nothing changed. What has expired is not
 * brought back: it is reissued.
 */
export const updateCredential = command({
  name: "credentials.update",
  scope: "credentials:issue",
  input: z.strictObject({ id: id("crd"), ifMatch, expiresAt, data: credentialData.optional(), metadata }),
  tag: credentialTag,
  async run(ctx, input) {
    const before = await loadForChange(ctx, input.id);
    if (before.subject_erased_at) throw subjectErased();
    requireMatch(input.ifMatch, credentialTag(credentialView(before, ctx.now)));
    // Metadata is no part of what was issued: it can be changed in any state.
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
    const until = input.expiresAt === undefined ? before.expires_at : ahead(ctx, input.expiresAt, before.valid_from);
    // To end a suspended credential sooner makes room for a valid one, as its revocation does.
    if (before.state === "suspended" && until !== null && until < (before.expires_at ?? new Date(8.64e15)))
      requireScope(ctx, "credentials:revoke");
    const after = await write(ctx, before, until, input.data ?? {}, input.metadata ?? {});
    return credentialView(after ?? before, ctx.now);
  },
});

async function write(
  ctx: TxCtx,
  before: CredentialRow,
  until: Date | null,
  data: Record<string, unknown>,
  metadata: Record<string, unknown>,
): Promise<CredentialRow | undefined> {
  const [row] = await ctx.tx.sql<CredentialRow>(updateStatement, [
    ctx.orgId,
    before.id,
    until,
    data,
    ctx.now,
    newId("crh"),
    ctx.actor,
    metadata,
  ]);
  if (!row) return undefined;
  // The snapshot of an academic credential stands beside the data and is bounded apart from it.
  const { subject: _, attributes: __, ...own } = row.data;
  if (Buffer.byteLength(JSON.stringify(own)) > maxDataBytes)
    throw invalidInput([
      { pointer: "/data", code: "too_big", message: "must not be over 64 KiB as JSON, with what is stored already" },
    ]);
  checkMergedMetadata(row.metadata);
  const due = dueAt(row);
  if (due) ctx.tx.nudgeAfterCommit("credentials", due);
  await append(ctx, {
    type: "credential.updated",
    resourceId: row.id,
    object: credentialFactsOf(row),
    ...(row.expires_at?.getTime() !== before.expires_at?.getTime() && {
      previous: { expiresAt: before.expires_at?.toISOString() ?? null },
    }),
  });
  return row;
}

const updateStatement = `
WITH changed AS (
  UPDATE credentials c SET expires_at = $3, expiry_explicit = c.expiry_explicit OR c.expires_at IS DISTINCT FROM $3,
    data = merge_attributes(c.data, $4), metadata = merge_attributes(c.metadata, $8), updated_at = $5
  WHERE c.org_id = $1 AND c.id = $2
    AND (c.expires_at, c.data, c.metadata) IS DISTINCT FROM ($3, merge_attributes(c.data, $4), merge_attributes(c.metadata, $8))
  RETURNING *
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, actor, created_at)
  SELECT $1, $6, id, 'updated', state, state, $7, $5 FROM changed
)
SELECT ${credentialColumns} FROM changed c ${joinSubject}`;
