import { transaction, type Tx } from "./transaction";
import { unavailable } from "./unavailable";

/** How the schedules of one table are started. */
export interface Schedules<Row> {
  /** Locks and returns the row whose time came first; undefined if none is due. */
  claim(tx: Tx): Promise<Row | undefined>;
  /** Sets the row's next time and queues its run. */
  start(tx: Tx, row: Row): Promise<void>;
  /** Moves the row's time to later. Otherwise it stays first in line and blocks all other schedules. */
  putOff(tx: Tx, row: Row): Promise<void>;
}

/**
 * Starts the next schedule that is due, in one transaction. If its start fails, it is put off, unless the database is
 * to blame: then the start is due again at once.
 *
 * @returns false if none is due
 */
export async function startDue<Row>({ claim, start, putOff }: Schedules<Row>): Promise<boolean> {
  let row: Row | undefined;
  try {
    return await transaction(async (tx) => {
      row = await claim(tx);
      if (row) await start(tx, row);
      return row !== undefined;
    });
  } catch (error) {
    const failed = row;
    if (failed && !unavailable(error)) await transaction((tx) => putOff(tx, failed));
    throw error;
  }
}
