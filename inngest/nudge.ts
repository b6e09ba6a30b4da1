import { coalesced } from "@/server/core/coalesce";
import { log } from "@/server/core/log";
import { setNudge, type NudgeTopic } from "@/server/core/nudge";
import { inngest } from "./client";
import {
  bulkQueued,
  connectorsQueued,
  credentialsDue,
  credentialsDueAt,
  deliveriesDue,
  groupsDue,
  mailsQueued,
  plannedAheadMs,
  policiesQueued,
  photosQueued,
  walletsDue,
} from "./events";
import { engineMode } from "./mode";

/** The topics that are sent to the engine. `events` is not: this thread numbers them. */
type SentTopic = Exclude<NudgeTopic, "events">;

const signalOf = {
  deliveries: deliveriesDue,
  bulk: bulkQueued,
  credentials: credentialsDue,
  connectors: connectorsQueued,
  policies: policiesQueued,
  mails: mailsQueued,
  groups: groupsDue,
  wallets: walletsDue,
  photos: photosQueued,
} satisfies Record<SentTopic, unknown>;

/**
 * Minimum time in ms between two sends of one topic under a stream of commits; a nudge after a pause is sent at once. A
 * run costs an Inngest server 12 to 60 ms, and the embedded engine 1 ms.
 */
const gapMs = { embedded: 20, inngest: 250 };

/**
 * Installs the nudge: appended events are numbered by this thread, other topics are sent to the engine as events.
 * A nudge never blocks its caller or fails, and thousands of them cost as much as one.
 */
export function installNudge(numberEvents: () => void): void {
  const gap = gapMs[engineMode()];
  const topics: Record<NudgeTopic, () => void> = {
    events: numberEvents,
    deliveries: coalesced(() => send("deliveries"), gap),
    bulk: coalesced(() => send("bulk"), gap),
    credentials: coalesced(() => send("credentials"), gap),
    connectors: coalesced(() => send("connectors"), gap),
    policies: coalesced(() => send("policies"), gap),
    mails: coalesced(() => send("mails"), gap),
    groups: coalesced(() => send("groups"), gap),
    wallets: coalesced(() => send("wallets"), gap),
    photos: coalesced(() => send("photos"), gap),
  };
  const planned = plannedWakeups((at) => send("credentials", at));
  setNudge((topic, at) => (at && at.getTime() > Date.now() ? planned(at) : topics[topic]()));
}

let problem: string | null = null;

/** Returns why the last event could not be sent, in words for the operator; null if it was sent. */
export const sendProblem = (): string | null => problem;

/** Sends the event of a topic, for the instant `at` if given. Returns whether it was sent; never throws. */
async function send(topic: SentTopic, at?: Date): Promise<boolean> {
  try {
    await inngest.send(at ? credentialsDueAt(at) : signalOf[topic].create({}));
    problem = null;
    return true;
  } catch (error) {
    problem = /event key/i.test(String(error))
      ? "the Inngest server refuses INNGEST_EVENT_KEY"
      : "the Inngest server takes no events";
    log().warn({ err: error, topic }, "a nudge was not sent; trying again, or a sweep will find what it was for");
    return false;
  }
}

/**
 * Returns a function that sends a wake-up for a future instant. Skips it if the cron sweep will plan it in time, or if
 * a wake-up for an earlier instant is planned: the run of that one plans the next.
 */
export function plannedWakeups(send: (at: Date) => Promise<boolean>, now: () => number = Date.now): (at: Date) => void {
  let planned = -Infinity;
  return (at) => {
    const time = at.getTime();
    if (time - now() > plannedAheadMs || (planned > now() && planned <= time)) return;
    planned = time;
    void send(at).then((sent) => {
      if (!sent && planned === time) planned = -Infinity;
    });
  };
}
