import { queueSql } from "@/server/core/db";

/**
 * Makes the partitions of events, their log, deliveries and attempts for the week of `now` and the next five. Partitions
 * that exist stay as they are; rows that were written before their partition was made move into it.
 */
export async function preparePartitions(now: Date): Promise<void> {
  await queueSql(`SELECT prepare_partitions($1)`, [now], false);
  // Autovacuum analyses each partition, and never the table that they are parts of.
  for (const table of ["events", "event_log", "webhook_deliveries", "webhook_attempts"])
    await queueSql(`ANALYZE (SKIP_LOCKED) ONLY ${table}`, [], false);
}
