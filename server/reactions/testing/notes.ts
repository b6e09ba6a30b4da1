import { sql } from "@/server/core/db";
import type { Consumer } from "../consumer";

/** A consumer for tests: it writes a row into its own table for each new subject. */
export const notes: Consumer = {
  name: "notes",
  effect: "A note is made.",
  events: ["subject.created"],
  react: ({ events, now }) => ({
    with: `notes_made AS (
      INSERT INTO notes (id, org_id, event_id, type, sequence, at)
      SELECT uuidv7(), org_id, id, type, sequence, ${now} FROM ${events} ORDER BY sequence
      RETURNING sequence
    )`,
    due: `SELECT sequence FROM notes_made`,
  }),
  wake: () => undefined,
};

export async function createNotes(): Promise<void> {
  await sql(
    `CREATE TABLE notes (id uuid PRIMARY KEY, org_id uuid NOT NULL, event_id uuid NOT NULL UNIQUE, type text NOT NULL, sequence bigint NOT NULL, at timestamptz NOT NULL)`,
  );
}
