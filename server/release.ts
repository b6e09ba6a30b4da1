import { flushKeyUse } from "./access/last-used";
import { flushSecurityEvents } from "./access/security-events";
import { closeDb } from "./core/db";
import { stopDrawing } from "./drawing/draw";
import { closeOutbound } from "./outbound/request";
import { flushRequests } from "./scim/requests/record";
import { stopForeignWorkers } from "./verification/foreign-pool";
import { flushVerifications } from "./verification/observe";
import { stopSigning } from "./wallets/apple/sign-pass";
import { closeGoogle } from "./wallets/google/service";
import { stopDispatcher } from "./webhooks/dispatch/running";

/** How long webhooks in flight may take, in ms. */
const graceMs = 15_000;

/**
 * Ends what a thread of the server holds: writes what is buffered, stops the engine and the dispatcher, and closes
 * connections and worker processes. Called when no more requests come.
 */
export async function release(engine: { stop(): Promise<void> }): Promise<void> {
  // While the engine runs, which hears of the events that this writes.
  await Promise.allSettled([flushVerifications(), flushKeyUse(), flushSecurityEvents(), flushRequests()]);
  // Together: a function of the engine may wait for the dispatcher, which claims nothing more once it stops.
  await Promise.all([engine.stop(), stopDispatcher(graceMs)]);
  await Promise.all([closeOutbound(), closeGoogle(), stopForeignWorkers(), stopDrawing(), stopSigning()]);
  await closeDb();
}
