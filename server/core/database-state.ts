import { sql } from "./db";

/** Figures of the database, the same for every process of the service. */
export interface DatabaseState {
  connections: { active: number; idle: number; idle_in_transaction: number };
  maxConnections: number;
  /** Connections that wait for a lock. */
  lockWaits: number;
  oldestTransactionSeconds: number;
  sizeBytes: number;
  /** A table's partitions count as the table. */
  tables: { name: string; live: number; dead: number }[];
}

/**
 * Reads PostgreSQL's statistics of this database, and of the connections that the role may see (all of its own).
 */
export async function databaseState(): Promise<DatabaseState> {
  const [row] = await sql<DatabaseState>(
    `SELECT jsonb_build_object('active', count(*) FILTER (WHERE state = 'active'), 'idle', count(*) FILTER (WHERE state = 'idle'),
         'idle_in_transaction', count(*) FILTER (WHERE state LIKE 'idle in transaction%')) AS connections,
       current_setting('max_connections')::int AS "maxConnections",
       count(*) FILTER (WHERE wait_event_type = 'Lock') AS "lockWaits",
       coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) FILTER (WHERE pid <> pg_backend_pid()), 0)::float8 AS "oldestTransactionSeconds",
       pg_database_size(current_database()) AS "sizeBytes",
       (SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'live', live, 'dead', dead) ORDER BY name), '[]') FROM (
         SELECT coalesce(i.inhparent::regclass::text, t.relname) AS name, sum(n_live_tup) AS live, sum(n_dead_tup) AS dead
         FROM pg_stat_user_tables t LEFT JOIN pg_inherits i ON i.inhrelid = t.relid WHERE schemaname = current_schema()
           AND NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = t.relid) GROUP BY 1) AS whole) AS tables
     FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return row!;
}
