import { coalesced } from "@/server/core/coalesce";
import { log } from "@/server/core/log";
import { setNudge, type NudgeTopic } from "@/server/core/nudge";
import { inngest } from "./client";
import { bulkQueued, credentialsDue, credentialsDueAt, deliveriesDue, mailsQueued, plannedAheadMs } from "./events";
import { engineMode } from "./mode";

/** What the engine is told. Appended events are numbered in this process, without it. */
type SentTopic = Exclude<NudgeTopic, "events">;

const signalOf = {
  deliveries: deliveriesDue,
  bulk: bulkQueued,
  credentials: credentialsDue,
  mails: mailsQueued,
} satisfies Record<SentTopic, unknown>;

/**
 * Between two sends of one topic while commits do not cease; after a rest there is none. An Inngest server pays 12 to
 * 60 ms for a run, our own engine one.
 */
const gapMs = { embedded: 20, inngest: 250 };

/**
 * Has appended events numbered by this process, and the other nudges sent to the engine as events. They never wait,
 * never fail their caller, and thousands are as cheap as one.
 */
export function installNudge(numberEvents: () => void): void {
  const gap = gapMs[engineMode()];
  const topics: Record<NudgeTopic, () => void> = {
    events: numberEvents,
    deliveries: coalesced(() => send("deliveries"), gap),
    bulk: coalesced(() => send("bulk"), gap),
    credentials: coalesced(() => send("credentials"), gap),
    mails: coalesced(() => send("mails"), gap),
  };
  const planned = plannedWakeups((at) => send("credentials", at));
  setNudge((topic, at) => (at && at.getTime() > Date.now() ? planned(at) : topics[topic]()));
}

let problem: string | null = null;

/** Why the last event could not be sent, in words for the operator; null where it could. */
export const sendProblem = (): string | null => problem;

/** @returns whether it was sent. */
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
 * Sends a wake-up for an instant ahead, unless the cron sweep comes early enough to plan it, or one is planned for an
 * earlier instant: that run plans the next itself.
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
