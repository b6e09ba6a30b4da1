import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/**
 * SQL: the order in which every transaction locks several people, so that no two wait for each other
 * (docs/decisions/680). It is the order in which the upsert of a set writes them (write.ts), which cannot be chosen.
 *
 * @param person a relation with the column external_id
 */
export const lockOrder = (person: string) => `octet_length(${person}.external_id), ${person}.external_id COLLATE "C"`;

/**
 * Locks people in this order. Sent without waiting for the locks: what is read next waits for them, and sees what
 * others have committed until then.
 */
export function lockSet(ctx: TxCtx, ids: readonly Id<"sub">[], lock: "FOR NO KEY UPDATE" | "FOR UPDATE"): void {
  if (ids.length === 0) return;
  ctx.tx.send(
    `SELECT 1 FROM (
       SELECT given.id FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (SELECT external_id FROM subjects WHERE org_id = $1 AND id = given.id OFFSET 0) found
       ORDER BY ${lockOrder("found")} OFFSET 0
     ) ordered
     CROSS JOIN LATERAL (SELECT FROM subjects WHERE org_id = $1 AND subjects.id = ordered.id ${lock}) s`,
    [ctx.orgId, ids],
  );
}
