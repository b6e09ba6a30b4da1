import type { TxCtx } from "@/server/core/context";
import type { Query } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { writeSubjects } from "@/server/subjects/write";

/** The person with a proven address. The name and the attributes are those on record. */
export interface Claimant {
  id: Id<"sub">;
  name: string;
  attributes: Record<string, unknown>;
}

/** The external id of a person that a claim added. */
const externalIdOf = (email: string) => `claim:${email}`;

/**
 * Finds the person with a proven address (docs/decisions/464): the only active person on record with it, else the person
 * that an earlier claim added, else the only inactive person on record. An address that several people share identifies
 * nobody on record.
 */
export async function findClaimant(query: Query, orgId: Id<"org">, email: string): Promise<Claimant | null> {
  const rows = await query<Claimant & { status: string; isOwn: boolean }>(
    `(SELECT id, display_name AS name, attributes, status, false AS "isOwn" FROM subjects WHERE org_id = ${opaque("$1")} AND lower(email) = $2 AND erased_at IS NULL AND external_id <> $3 LIMIT 10)
     UNION ALL SELECT id, display_name, attributes, status, true FROM subjects WHERE org_id = ${opaque("$1")} AND external_id = $3`,
    [orgId, email, externalIdOf(email)],
  );
  const onRecord = rows.filter(({ isOwn }) => !isOwn);
  const active = onRecord.filter(({ status }) => status === "active");
  const own = rows.find(({ isOwn }) => isOwn);
  const found = (active.length === 1 ? active[0] : null) ?? own ?? (onRecord.length === 1 ? onRecord[0] : null);
  return found ? { id: found.id, name: found.name, attributes: found.attributes } : null;
}

/**
 * Returns the person with a proven address; adds the person if there is none. A claim never changes the name or the
 * attributes of a person on record.
 *
 * @throws DomainError subject_erased
 */
export async function claimantOf(ctx: TxCtx, { email, name }: { email: string; name: string }): Promise<Claimant> {
  const found = await findClaimant(ctx.tx.sql, ctx.orgId, email);
  if (found) return found;
  const externalId = externalIdOf(email);
  const written = (await writeSubjects(ctx, [{ externalId, displayName: name, email, ifExists: "fail" }])).get(
    externalId,
  )!;
  if (!("error" in written)) return { id: written.row.id, name, attributes: {} };
  if (written.error.code !== "external_id_taken") throw written.error;
  // A concurrent claim through another link added this person.
  const first = await findClaimant(ctx.tx.sql, ctx.orgId, email);
  if (!first) throw new DomainError("conflict", "This person was changed at the same moment. Try again.");
  return first;
}
