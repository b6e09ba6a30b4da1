import type { TxCtx } from "@/server/core/context";
import { sql } from "@/server/core/db";
import { Failures } from "@/server/core/failures";
import { publicId, type Id } from "@/server/core/ids";
import { transaction, type Tx } from "@/server/core/transaction";
import { lockSet } from "@/server/subjects/lock-set";
import { fallBackToNextSource } from "./directory/departed";
import type { ConnectorRow } from "./view";

/** How many people of the connector one step processes. */
const usualSetSize = 1_000;

interface Deleted extends Pick<ConnectorRow, "id" | "mapping" | "priority" | "is_default"> {
  org_id: Id<"org">;
  /** The connector's key of the last person of the previous step. */
  fall_back_after: string;
}

/**
 * Gives the next set of people of a deleted connector the values of a directory that lists them too
 * (docs/decisions/474). Each set is a transaction that also stores its progress, so that a killed process loses
 * nothing. Two processes may work on the same set: the second one finds the values written and writes nothing. A
 * connector whose set fails does not block those that were deleted after it. Its error is thrown once only failing
 * connectors are left.
 *
 * @returns false if there is nothing to do
 */
export async function fallBackFromDeleted(now: Date, setSize = usualSetSize): Promise<boolean> {
  const waiting = await sql<Deleted>(
    `SELECT org_id, id, mapping, priority, is_default, fall_back_after FROM connectors WHERE fall_back_after IS NOT NULL ORDER BY deleted_at`,
  );
  const failures = new Failures();
  for (const deleted of waiting)
    if (await failures.keep(transaction((tx) => nextSet(tx, deleted, now, setSize)))) return true;
  failures.throw();
  return false;
}

async function nextSet(tx: Tx, deleted: Deleted, now: Date, setSize: number): Promise<true> {
  const actor = { type: "job" as const, id: publicId("con", deleted.id) };
  const ctx: TxCtx = { orgId: deleted.org_id, actor, scopes: new Set(), requestId: actor.id, now, tx };
  const people = await tx.sql<{ id: Id<"sub">; key: string; shared: boolean }>(nextPeople, [
    ctx.orgId,
    deleted.id,
    deleted.fall_back_after,
    setSize,
  ]);
  const shared = people.filter((person) => person.shared).map((person) => person.id);
  lockSet(ctx, shared, "FOR NO KEY UPDATE");
  await fallBackToNextSource(ctx, deleted, shared, { clears: false });
  const after = people.length < setSize ? null : people.at(-1)!.key;
  await tx.sql(`UPDATE connectors SET fall_back_after = $4 WHERE org_id = $1 AND id = $2 AND fall_back_after = $3`, [
    ctx.orgId,
    deleted.id,
    deleted.fall_back_after,
    after,
  ]);
  return true;
}

/** Returns the people of a connector in the order of its keys, and whether a directory lists them too. */
const nextPeople = `
SELECT own.subject_id AS id, own.key, own.missing_since IS NULL AND EXISTS (
    SELECT FROM subject_sources other WHERE other.org_id = $1 AND other.subject_id = own.subject_id AND other.type = 'scim' AND other.source_id <> $2 AND other.missing_since IS NULL OFFSET 0
  ) AS shared
FROM (SELECT subject_id, key, missing_since FROM subject_sources WHERE org_id = $1 AND source_id = $2 AND key > $3 ORDER BY key LIMIT $4) own
ORDER BY own.key`;
