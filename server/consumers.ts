import { processState } from "./core/process-state";
import { confirmationMessages } from "./messages/follow-confirmations";
import { messageReactions } from "./messages/follow-credentials";
import { endpointNotices } from "./notifications/follow-endpoints";
import type { Consumer } from "./reactions/consumer";
import { Sequencer } from "./reactions/sequencer";
import { sequenceEvents } from "./reactions/sequence";
import { walletChanges } from "./wallets/follow-credentials";
import { webhookDeliveries } from "./webhooks/dispatch/make-deliveries";

/**
 * The consumers of events (docs/reactions.md shows them by event). Add a new consumer here. This is a list and not a
 * registration at import, because a process that numbered events without having imported a consumer would lose that
 * consumer's work.
 */
export const consumers: readonly Consumer[] = [
  webhookDeliveries,
  endpointNotices,
  walletChanges,
  messageReactions,
  confirmationMessages,
];

const state = processState("sequencer", (): { running?: Sequencer } => ({}));

/** The sequencer of this thread, created at first use. */
export function sequencer(): Sequencer {
  return (state.running ??= new Sequencer(consumers));
}

/** Call it before the thread ends: numbers what was committed until now, then stops. */
export async function stopSequencer(): Promise<void> {
  const { running } = state;
  delete state.running;
  await running?.stop();
}

/**
 * Numbers a batch of committed events and writes the rows of their consumers; wakes nobody. For tests, benchmarks and
 * the demo.
 */
export const sequenceBatch = (batch?: number, now?: Date) => sequenceEvents(consumers, batch, now);
