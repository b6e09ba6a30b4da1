import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { newId, publicId, type Id } from "@/server/core/ids";
import { appendAll } from "@/server/events/append";
import type { Change } from "./change-set";
import { claimStatusEntries } from "@/server/issuers/status/claim";
import { credentialColumns, credentialFactsOf, joinSubject, type CredentialRow } from "./view";

interface Redesign {
  id: Id<"crd">;
  /** A published version of the credential's template. */
  versionId: Id<"tpv">;
}

/**
 * Applies another version of its template to a live credential: its design and its public fields. Its data and expiry
 * stay. A credential that has ended, or has that version already, stays unchanged. If the version is the credential's
 * first with a signed QR code, the credential gets its index in the status lists. Emits credential.updated.
 */
export const redesign: Change<Redesign> = {
  input: z.custom<Redesign>(),
  check: () => undefined,
  async write(ctx, changes) {
    const signed = await signedVersions(
      ctx,
      changes.map(({ input }) => input.versionId),
    );
    const rows = await ctx.tx.sql<CredentialRow & { newly_listed: boolean }>(redesignStatement, [
      ctx.orgId,
      changes.map(({ row }) => row.id),
      changes.map(({ input }) => input.versionId),
      ctx.now,
      changes.map(() => newId("crh")),
      ctx.actor,
      changes.map(({ input }) => signed.has(input.versionId)),
    ]);
    await claimStatusEntries(
      ctx,
      rows.filter(({ newly_listed }) => newly_listed).map(({ id }) => id),
    );
    const written = new Map(rows.map((row) => [row.id, row]));
    await tell(ctx, changes, written);
    return changes.map(({ row }) => written.get(row.id) ?? row);
  },
};

/** The versions that have a signed QR code. They are few, because a job applies one version to all its credentials. */
async function signedVersions(ctx: TxCtx, versionIds: Id<"tpv">[]): Promise<Set<Id<"tpv">>> {
  const rows = await ctx.tx.sql<{ id: Id<"tpv"> }>(
    `SELECT id FROM template_versions WHERE org_id = $1 AND id = ANY($2) AND signed_qr`,
    [ctx.orgId, [...new Set(versionIds)]],
  );
  return new Set(rows.map(({ id }) => id));
}

async function tell(ctx: TxCtx, changes: { row: CredentialRow }[], written: Map<Id<"crd">, CredentialRow>) {
  await appendAll(
    ctx,
    changes.flatMap(({ row: before }) => {
      const row = written.get(before.id);
      if (!row) return [];
      return {
        type: "credential.updated" as const,
        resourceId: row.id,
        object: credentialFactsOf(row),
        previous: { templateVersionId: publicId("tpv", before.template_version_id) },
      };
    }),
  );
}

const redesignStatement = `
WITH changed AS (
  UPDATE credentials c SET template_version_id = target.version_id, listed = c.listed OR target.signed_qr, updated_at = $4
  FROM unnest($2::uuid[], $3::uuid[], $5::uuid[], $7::boolean[]) AS target (id, version_id, history_id, signed_qr)
  CROSS JOIN LATERAL (SELECT ctid AS tid, listed AS was_listed FROM credentials WHERE org_id = $1 AND id = target.id OFFSET 0) locked
  WHERE c.ctid = locked.tid AND c.template_version_id <> target.version_id AND c.kind <> 'academic'
    AND c.state IN ('pending', 'active', 'suspended') AND (c.expires_at IS NULL OR c.expires_at > $4)
  RETURNING c.*, target.history_id, c.listed AND NOT locked.was_listed AS newly_listed
), noted AS (
  INSERT INTO credential_history (org_id, id, credential_id, action, from_state, to_state, actor, created_at)
  SELECT $1, history_id, id, 'updated', state, state, $6, $4 FROM changed
)
SELECT ${credentialColumns}, c.newly_listed FROM changed c ${joinSubject}`;
