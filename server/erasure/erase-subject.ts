import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { append } from "@/server/events/append";
import { applyClock } from "@/server/credentials/apply-clock";
import { erasedReason } from "@/server/credentials/insert-credentials";
import { transition } from "@/server/credentials/transition";
import { credentialColumns, joinSubject, type CredentialRow } from "@/server/credentials/view";
import { leaveAllGroups } from "@/server/groups/leave-all";
import { hashExternalId } from "@/server/subjects/erased";
import { loadSubject } from "@/server/subjects/load";
import { subjectColumns, subjectFactsOf, subjectTag, subjectView, type SubjectRow } from "@/server/subjects/view";
import { blankAnswers } from "./blank-answers";
import { blankClaims } from "./blank-claims";
import { blankConfirmations } from "./blank-confirmations";
import { blankEvents } from "./blank-events";
import { blankHolder } from "./blank-holder";
import { blankUsers } from "./blank-users";
import {
  blankAttempts,
  blankBulkRows,
  blankPhotoRejections,
  blankCredentials,
  blankHistory,
  deleteBadgeDocuments,
  deleteKeptRows,
  deleteStagedRows,
} from "./blank-rows";

/** How long the pass of an erased holder can still be requested. */
const passesStayMs = 30 * 86_400_000;

/**
 * Erases a person (contract section 4): blanks their stored data, revokes their live credentials (academic ones only
 * with `includeAcademic`) and removes them from their groups. The person can no longer be written to or added again.
 * Ids, codes, states, dates and counts stay. Erasing twice changes nothing. Emits subject.updated, subject.deactivated
 * if they were active, credential.revoked for each revoked credential, group.members_removed for each group, and
 * name_confirmation.cancelled for each request to confirm a name. Leaves an audit entry. Every write of personal data
 * locks the subject or the credential first. Erasure locks the subject, then all of its credentials by id. Earlier
 * writers have therefore committed, and their data is blanked; later writers see the erasure and are refused.
 */
export const eraseSubject = command({
  name: "subjects.erase",
  scope: "subjects:write",
  input: z.strictObject({
    id: id("sub"),
    reason: line(500).min(1, "must not be empty").meta({
      description: "Why, for the audit log, which keeps it: a reference to the request, not the person's name.",
    }),
    includeAcademic: z.boolean().default(false).meta({
      description:
        "Whether live academic credentials are revoked too. Otherwise they stay valid, and their page names nobody.",
    }),
  }),
  tag: subjectTag,
  async run(ctx, input) {
    const before = await loadSubject(ctx, input.id, "FOR UPDATE");
    if (before.erased_at) return subjectView(before);
    const held = await ctx.tx.sql<{ id: Id<"crd"> }>(
      `SELECT id FROM credentials WHERE org_id = $1 AND subject_id = $2 ORDER BY id FOR UPDATE`,
      [ctx.orgId, before.id],
    );
    const credentialIds = held.map((row) => row.id);
    const resources: Id[] = [before.id, ...credentialIds];
    const externalId = await hashExternalId(ctx, before.external_id);
    const [after] = await ctx.tx.sql<SubjectRow>(
      `UPDATE subjects SET external_id = $3, display_name = '', email = NULL, attributes = '{}', status = 'inactive', photo_at = NULL, photo_status = NULL, photo_reason = NULL, photo_by = NULL, erased_at = $4, updated_at = $4
       WHERE org_id = $1 AND id = $2 RETURNING ${subjectColumns}`,
      [ctx.orgId, before.id, externalId, ctx.now],
    );
    // The next sweep deletes its files: see server/core/blobs/store.ts.
    ctx.tx.send(`DELETE FROM subject_photos WHERE org_id = $1 AND subject_id = $2`, [ctx.orgId, before.id]);
    await deleteStagedRows(ctx, before.id, before.external_id);
    await deleteKeptRows(ctx, before.id, {
      externalId: before.external_id,
      email: before.email,
      displayName: before.display_name,
    });
    ctx.tx.send(`DELETE FROM subject_sources WHERE org_id = $1 AND subject_id = $2`, [ctx.orgId, before.id]);
    ctx.tx.send(`DELETE FROM policy_exceptions WHERE org_id = $1 AND subject_id = $2`, [ctx.orgId, before.id]);
    ctx.tx.send(
      `DELETE FROM scim_pending_members WHERE org_id = $1 AND value IN (SELECT external_id FROM scim_users WHERE org_id = $1 AND subject_id = $2 UNION SELECT $3)`,
      [ctx.orgId, before.id, before.external_id],
    );
    await blankConfirmations(ctx, before.id);
    await blankUsers(ctx, before.id);
    await blankClaims(ctx, before.id, before.email);
    await blankHolder(ctx, before.id, before.email);
    await blankCredentials(ctx, before.id);
    await blankHistory(ctx, credentialIds);
    await deleteBadgeDocuments(ctx, credentialIds);
    ctx.tx.send(
      `DELETE FROM credential_channels USING credentials c WHERE credential_channels.org_id = $1 AND c.org_id = $1 AND c.subject_id = $2 AND credential_channels.credential_id = c.id`,
      [ctx.orgId, before.id],
    );
    ctx.tx.send(
      `UPDATE messages SET address = NULL, error = NULL, state = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END, claim_id = NULL, lease_until = NULL, updated_at = $3
       WHERE org_id = $1 AND subject_id = $2`,
      [ctx.orgId, before.id, ctx.now],
    );
    // The events below first notify the phones and Google: the pass is void and names nobody.
    const passesEnd = [ctx.orgId, before.id, new Date(ctx.now.getTime() + passesStayMs)];
    ctx.tx.send(
      `UPDATE apple_passes SET forget_at = $3 FROM credentials c WHERE apple_passes.org_id = $1 AND c.org_id = $1 AND c.subject_id = $2 AND apple_passes.credential_id = c.id`,
      passesEnd,
    );
    ctx.tx.send(
      `UPDATE google_passes SET forget_at = $3 FROM credentials c WHERE google_passes.org_id = $1 AND c.org_id = $1 AND c.subject_id = $2 AND google_passes.credential_id = c.id`,
      passesEnd,
    );
    await blankBulkRows(ctx, {
      names: [publicId("sub", before.id), ...credentialIds.map((each) => publicId("crd", each)), before.external_id],
      subjectId: before.id,
    });
    await blankPhotoRejections(ctx, before.external_id);
    await blankAnswers(ctx, { subjectId: before.id, externalId });
    // Blanking locks the events: a delivery attempt recorded from now on stores no response.
    await blankAttempts(ctx, await blankEvents(ctx, { resources, externalId }));
    const revoked = await revokeLive(ctx, before.id, input.includeAcademic);
    const facts = { resourceId: after!.id, object: subjectFactsOf(after!) };
    await append(ctx, { type: "subject.updated", ...facts });
    if (before.status === "active")
      await append(ctx, { type: "subject.deactivated", ...facts, previous: { status: "active" } });
    await leaveAllGroups(ctx, before.id);
    await audit(
      ctx,
      "subject.erased",
      { type: "subject", id: publicId("sub", before.id) },
      { reason: input.reason, includeAcademic: input.includeAcademic, credentials: credentialIds.length, revoked },
    );
    return subjectView(after!);
  },
});

async function revokeLive(ctx: TxCtx, subjectId: Id<"sub">, includeAcademic: boolean): Promise<number> {
  const rows = await ctx.tx.sql<CredentialRow>(
    `SELECT ${credentialColumns} FROM credentials c ${joinSubject}
     WHERE c.org_id = $1 AND c.subject_id = $2 AND c.state IN ('pending', 'active', 'suspended') AND ($3 OR c.kind <> 'academic')`,
    [ctx.orgId, subjectId, includeAcademic],
  );
  const live = (await applyClock(ctx, rows)).filter(({ state }) => state !== "expired");
  await transition(
    ctx,
    live.map((row) => ({ row, reason: erasedReason })),
    "revoke",
  );
  return live.length;
}
