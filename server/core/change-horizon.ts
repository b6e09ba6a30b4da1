import { setTimeout } from "node:timers/promises";
import { advisoryLocks } from "./advisory-locks";
import { sql } from "./db";
import type { Id } from "./ids";

/** A stamp is cut to a millisecond, so what was committed before the horizon is read must lie in an earlier one. */
const stampMs = 2;

/**
 * The instant before which no change of an organisation's subjects and credentials is still to appear
 * (docs/decisions/179): the start of the oldest transaction that is writing some, or now. Read it before the rows, in a
 * statement of its own. A row with a later stamp is told by the next poll; otherwise a poller that goes on from the
 * largest stamp it saw would miss what commits later with an earlier one.
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
 * Rows that a poll may tell: stamped before the horizon, or with a time that somebody set more than an hour ahead of
 * the clock.
 */
export function isSettled(column: string, horizon: string): string {
  return `(${column} < ${horizon}::timestamptz OR ${column} > ${horizon}::timestamptz + interval '1 hour')`;
}
