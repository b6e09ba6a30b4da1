import { sql } from "./db";

/** Figures of the database, the same for every process of the service. */
export interface DatabaseState {
  connections: { active: number; idle: number; idle_in_transaction: number };
  maxConnections: number;
  /** Connections that wait for a lock. */
  lockWaits: number;
  oldestTransactionSeconds: number;
  sizeBytes: number;
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
       (SELECT coalesce(jsonb_agg(jsonb_build_object('name', relname, 'live', n_live_tup, 'dead', n_dead_tup) ORDER BY relname), '[]') FROM pg_stat_user_tables WHERE schemaname = current_schema()) AS tables
     FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`,
  );
  return row!;
}
