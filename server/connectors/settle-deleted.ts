import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { settleDeparted } from "./directory/departed";
import type { ConnectorRow } from "./view";

/** How many people of the connector one step looks at. */
const usualSetSize = 1_000;

interface Deleted extends Pick<ConnectorRow, "id" | "mapping" | "priority" | "is_default"> {
  org_id: Id<"org">;
  /** The connector's key of the last person whom the step before looked at. */
  settle_after: string;
}

/**
 * Settles the fields of the next set of people of a deleted connector whom a directory has too (docs/decisions/474). Each set
 * is a transaction that also stores how far it came, so that a killed process loses nothing. Two processes may settle the same
 * set: the second one finds it settled and writes nothing.
 * @returns false if there is nothing to do
 */
export function settleNextDeleted(now: Date, setSize = usualSetSize): Promise<boolean> {
  return transaction(async (tx) => {
    const [deleted] = await tx.sql<Deleted>(
      `SELECT org_id, id, mapping, priority, is_default, settle_after FROM connectors WHERE settle_after IS NOT NULL ORDER BY deleted_at LIMIT 1`,
    );
    if (!deleted) return false;
    const actor = { type: "job" as const, id: publicId("con", deleted.id) };
    const ctx: TxCtx = { orgId: deleted.org_id, actor, scopes: new Set(), requestId: actor.id, now, tx };
    const people = await tx.sql<{ id: Id<"sub">; key: string; shared: boolean }>(nextPeople, [
      ctx.orgId,
      deleted.id,
      deleted.settle_after,
      setSize,
    ]);
    const shared = people.filter((person) => person.shared).map((person) => person.id);
    await lock(ctx, shared);
    await settleDeparted(ctx, deleted, shared, { clears: false });
    const after = people.length < setSize ? null : people.at(-1)!.key;
    await tx.sql(`UPDATE connectors SET settle_after = $4 WHERE org_id = $1 AND id = $2 AND settle_after = $3`, [
      ctx.orgId,
      deleted.id,
      deleted.settle_after,
      after,
    ]);
    return true;
  });
}

/** The people of a connector in the order of its keys, and whether a directory has them too. */
const nextPeople = `
SELECT own.subject_id AS id, own.key, own.missing_since IS NULL AND EXISTS (
    SELECT FROM subject_sources other WHERE other.org_id = $1 AND other.subject_id = own.subject_id AND other.type = 'scim' AND other.source_id <> $2 AND other.missing_since IS NULL OFFSET 0
  ) AS shared
FROM (SELECT subject_id, key, missing_since FROM subject_sources WHERE org_id = $1 AND source_id = $2 AND key > $3 ORDER BY key LIMIT $4) own
ORDER BY own.key`;

/** Locks people in the order in which the upsert of a set locks them (server/scim/users/lock.ts). */
async function lock(ctx: TxCtx, people: Id<"sub">[]): Promise<void> {
  await ctx.tx.sql(
    `SELECT 1 FROM (
       SELECT given.id FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (SELECT external_id FROM subjects WHERE org_id = $1 AND id = given.id OFFSET 0) found
       ORDER BY octet_length(found.external_id), found.external_id COLLATE "C" OFFSET 0
     ) ordered
     CROSS JOIN LATERAL (SELECT FROM subjects WHERE org_id = $1 AND subjects.id = ordered.id FOR NO KEY UPDATE) s`,
    [ctx.orgId, people],
  );
}
