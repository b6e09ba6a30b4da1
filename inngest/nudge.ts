import { log } from "@/server/core/log";
import { setNudge, type NudgeTopic } from "@/server/core/nudge";
import { inngest } from "./client";
import { bulkQueued, deliveriesDue, eventsAppended } from "./events";
import { engineMode } from "./mode";

const signalOf = { events: eventsAppended, deliveries: deliveriesDue, bulk: bulkQueued } satisfies Record<NudgeTopic, unknown>;

/** Between two sends of one topic while commits do not cease; after a rest there is none. An Inngest server pays 12 to 60 ms for a run, our own engine one. */
const gapMs = { embedded: 20, inngest: 250 };

/** Has the domain's nudges sent as events. They never wait, never fail their caller, and thousands are as cheap as one. */
export function installNudge(): void {
  const gap = gapMs[engineMode()];
  const topics: Record<NudgeTopic, () => void> = {
    events: coalesced(() => send("events"), gap),
    deliveries: coalesced(() => send("deliveries"), gap),
    bulk: coalesced(() => send("bulk"), gap),
  };
  setNudge((topic) => topics[topic]());
}

async function send(topic: NudgeTopic): Promise<void> {
  try {
    await inngest.send(signalOf[topic].create({}));
  } catch (error) {
    log().warn({ err: error, topic }, "a nudge was not sent; a sweep will find what it was for");
  }
}

/** Calls `send` at once, then, for as long as there were further calls meanwhile, again after a gap: each call is followed by a send that began after it. */
export function coalesced(send: () => Promise<void>, gap: number): () => void {
  let busy = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = false;
    await send();
    setTimeout(() => {
      busy = false;
      if (again) start();
    }, gap);
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
