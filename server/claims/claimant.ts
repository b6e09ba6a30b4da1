import type { TxCtx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { writeSubjects } from "@/server/subjects/write";

/** The person of a proven address. `name` is the record's. */
export interface Claimant {
  id: Id<"sub">;
  name: string;
}

/** The external id of a person whom a claim added. */
const externalIdOf = (email: string) => `claim:${email}`;

/**
 * Finds whom a proven address belongs to (docs/decisions/464): the one active person on record with it, else the one
 * whom an earlier claim of the address added. An address that several people share names nobody.
 */
export async function findClaimant(query: Query, orgId: Id<"org">, email: string): Promise<Claimant | null> {
  const rows = await query<Claimant & { status: string; isOwn: boolean }>(
    `(SELECT id, display_name AS name, status, false AS "isOwn" FROM subjects WHERE org_id = ${opaque("$1")} AND lower(email) = $2 AND erased_at IS NULL AND external_id <> $3 LIMIT 10)
     UNION ALL SELECT id, display_name, status, true FROM subjects WHERE org_id = ${opaque("$1")} AND external_id = $3`,
    [orgId, email, externalIdOf(email)],
  );
  const onRecord = rows.filter(({ isOwn }) => !isOwn);
  const active = onRecord.filter(({ status }) => status === "active");
  const own = rows.find(({ isOwn }) => isOwn);
  const found = (active.length === 1 ? active[0] : null) ?? own ?? (onRecord.length === 1 ? onRecord[0] : null);
  return found ? { id: found.id, name: found.name } : null;
}

/**
 * Returns the person of a proven address, and adds them where there is none yet. A record that is there is never
 * written: neither its name nor its attributes come from a claim.
 *
 * @throws DomainError subject_erased
 */
export async function claimantOf(ctx: TxCtx, { email, name }: { email: string; name: string }): Promise<Id<"sub">> {
  const found = await findClaimant(ctx.tx.sql, ctx.orgId, email);
  if (found) return found.id;
  const externalId = externalIdOf(email);
  const written = (await writeSubjects(ctx, [{ externalId, displayName: name, email, ifExists: "fail" }])).get(
    externalId,
  )!;
  if (!("error" in written)) return written.row.id;
  if (written.error.code !== "external_id_taken") throw written.error;
  // A claim at the same time, under another link, was first.
  const first = await findClaimant(ctx.tx.sql, ctx.orgId, email);
  if (!first) throw new DomainError("unavailable", "Somebody changed this person at the same moment. Try again.");
  return first.id;
}
