import { migrate } from "@/scripts/migrations/migrate.mjs";
import { temporaryDatabase } from "@/scripts/database/temporary-database.mjs";
import { closeDb } from "@/server/core/db";

/** A PostgreSQL server of a test file's own. */
export interface OwnServer {
  /** "immediate": as a crash; the next start recovers. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Takes the server away. */
  close(): Promise<void>;
}

/**
 * Gives a test file a PostgreSQL server that can be stopped and started. For `beforeAll`, before anything else reads
 * the configuration.
 */
export async function ownServer(): Promise<OwnServer> {
  const server = await temporaryDatabase();
  await migrate(server.url);
  process.env["DATABASE_URL"] = server.url;
  return {
    stop: server.stop,
    start: server.start,
    close: async () => {
      await closeDb();
      await server.close();
    },
  };
}
