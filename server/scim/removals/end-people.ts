import { fallBackToNextSource } from "@/server/connectors/directory/departed";
import { stillDue } from "@/server/connectors/run/remove";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { noteGone } from "@/server/subjects/provide";
import { writeAccepted } from "@/server/subjects/write-accepted";
import type { Connection } from "../connection";
import type { Removal } from "./gate";

/**
 * Deactivates people after their directory deactivated or deleted them, if that is still due. People who were deleted
 * lose the connection as a source, and the fields that it gave them.
 * @returns the ids of the people who were deactivated
 */
export async function endPeople(ctx: TxCtx, connection: Connection, removals: Removal[]): Promise<Id<"sub">[]> {
  if (removals.length === 0) return [];
  const rows = await ctx.tx.sql<{ id: Id<"sub">; external_id: string; cause: string; due: boolean }>(
    `SELECT removal.subject_id AS id, removal.cause, s.external_id, (s.status = 'active' AND s.erased_at IS NULL AND $5::boolean OR ${stillDue}) AS due
     FROM unnest($2::uuid[], $4::text[]) AS removal (subject_id, cause)
     CROSS JOIN LATERAL (SELECT external_id, status, erased_at FROM subjects WHERE org_id = $1 AND id = removal.subject_id OFFSET 0) s`,
    [
      ctx.orgId,
      removals.map((each) => each.subjectId),
      connection.id,
      removals.map((each) => each.cause),
      // The default connection deactivates people whatever other sources say.
      connection.is_default,
    ],
  );
  const due = rows.filter((row) => row.due);
  const written = await writeAccepted(
    ctx,
    due.map(({ external_id }) => ({ externalId: external_id, status: "inactive" as const })),
    null,
  );
  const ended = due.filter(({ external_id }) => "row" in written.get(external_id)!).map((row) => row.id);
  const deleted = rows.filter(({ cause }) => cause === "deleted").map((row) => row.id);
  await fallBackToNextSource(ctx, connection, deleted, { clears: true });
  const feed = { type: "scim" as const, id: connection.id };
  await noteGone(
    ctx,
    feed,
    deleted.filter((id) => ended.includes(id)),
    true,
  );
  await noteGone(
    ctx,
    feed,
    deleted.filter((id) => !ended.includes(id)),
    false,
  );
  return ended;
}
