import { log } from "@/server/core/log";
import { setNudge, type NudgeTopic } from "@/server/core/nudge";
import { inngest } from "./client";
import { bulkQueued, credentialsDue, credentialsDueAt, deliveriesDue, eventsAppended, mailsQueued, plannedAheadMs } from "./events";
import { engineMode } from "./mode";

const signalOf = { events: eventsAppended, deliveries: deliveriesDue, bulk: bulkQueued, credentials: credentialsDue, mails: mailsQueued } satisfies Record<NudgeTopic, unknown>;

/** Between two sends of one topic while commits do not cease; after a rest there is none. An Inngest server pays 12 to 60 ms for a run, our own engine one. */
const gapMs = { embedded: 20, inngest: 250 };
/** Before a send that failed is tried again. */
const againMs = 1000;

/** Has the domain's nudges sent as events. They never wait, never fail their caller, and thousands are as cheap as one. */
export function installNudge(): void {
  const gap = gapMs[engineMode()];
  const topics: Record<NudgeTopic, () => void> = {
    events: coalesced(() => send("events"), gap),
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
async function send(topic: NudgeTopic, at?: Date): Promise<boolean> {
  try {
    await inngest.send(at ? credentialsDueAt(at) : signalOf[topic].create({}));
    problem = null;
    return true;
  } catch (error) {
    problem = /event key/i.test(String(error)) ? "the Inngest server refuses INNGEST_EVENT_KEY" : "the Inngest server takes no events";
    log().warn({ err: error, topic }, "a nudge was not sent; trying again, or a sweep will find what it was for");
    return false;
  }
}

/**
 * Sends a wake-up for an instant ahead, unless the cron sweep comes early enough to plan it, or one is planned for an earlier
 * instant: that run plans the next itself.
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

/** Calls `send` at once, then, for as long as it failed or there were further calls meanwhile, again after a gap: each call is followed by a send that began after it. */
export function coalesced(send: () => Promise<boolean>, gap: number): () => void {
  let busy = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = false;
    const sent = await send();
    again ||= !sent;
    const timer = setTimeout(() => {
      busy = false;
      if (again) start();
    }, sent ? gap : againMs);
    if (!sent) timer.unref();
  };
  const start = (): void => {
    busy = true;
    void run();
  };
  return () => {
    again = true;
    if (!busy) start();
  };
}
