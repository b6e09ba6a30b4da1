import { setTimeout } from "node:timers/promises";
import { advisoryLocks } from "./advisory-locks";
import { sql } from "./db";
import type { Id } from "./ids";

/**
 * Stamps have whole milliseconds. This wait makes changes that were committed before the call older than the horizon.
 */
const stampMs = 2;

/**
 * The instant before which no further change of an organisation's subjects and credentials can appear
 * (docs/decisions/179): the start of the oldest transaction that is writing any, or now. Read it before the rows, in a
 * separate statement. Rows with a later stamp are left to the next poll. Otherwise, a client that polls from the
 * largest stamp it saw would miss rows that are committed later with an earlier stamp.
 */
export async function changeHorizon(orgId: Id<"org">): Promise<Date> {
  await setTimeout(stampMs);
  const [row] = await sql<{ horizon: Date }>(
    `SELECT date_trunc('milliseconds', least(statement_timestamp(), (
       SELECT min(writer.xact_start) FROM pg_locks held JOIN pg_stat_activity writer ON writer.pid = held.pid
       WHERE held.locktype = 'advisory' AND held.objsubid = 2 AND held.classid = ${advisoryLocks.changeStamps}::oid AND held.objid::bigint = hashtext($1::uuid::text)::bigint & 4294967295
         AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
     ))) AS horizon`,
    [orgId],
  );
  return row!.horizon;
}

/**
 * SQL: whether a poll may return a row: its stamp is before the horizon, or more than an hour after it, which only a
 * clock that was set ahead can write.
 */
export function isSettled(column: string, horizon: string): string {
  return `(${column} < ${horizon}::timestamptz OR ${column} > ${horizon}::timestamptz + interval '1 hour')`;
}
