import { migrate } from "@/scripts/migrations/migrate.mjs";
import { temporaryDatabase } from "@/scripts/database/temporary-database.mjs";
import { closeDb } from "@/server/core/db";

/** The PostgreSQL server of one test file. */
export interface OwnServer {
  /** "immediate" stops it like a crash; the next start recovers. */
  stop(mode: "fast" | "immediate"): Promise<void>;
  start(): Promise<void>;
  /** Stops and removes the server. */
  close(): Promise<void>;
}

/**
 * Gives a test file a PostgreSQL server that can be stopped and started. Call it in `beforeAll`, before anything reads
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
