import { newPublicId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import { recordVerificationEvents } from "./record-verification-events";
import { VerificationEventBuffer, type Counted, type VerificationEvent } from "./verification-event-buffer";

/** How often the buffer is flushed: the longest time that a first event waits to be written together with others. */
const flushMs = 500;

interface Observer {
  buffer: VerificationEventBuffer;
  timer?: NodeJS.Timeout | undefined;
}

// One per process, so that the server's stop also flushes the events of Next.js pages.
const observer = processState(
  "verification observer",
  (): Observer => ({ buffer: new VerificationEventBuffer(write) }),
);

/** Notes a verification or a visit. Returns at once; the event is written in the background within a second. */
export function observe(event: VerificationEvent): void {
  observer.buffer.note(event, Date.now());
  observer.timer ??= setInterval(tick, flushMs).unref();
}

/** Writes all events that are still buffered. Called on a clean stop. */
export async function flushVerifications(): Promise<void> {
  await observer.buffer.flush(Date.now(), true);
}

function tick(): void {
  if (observer.buffer.isEmpty) {
    clearInterval(observer.timer);
    observer.timer = undefined;
    return;
  }
  const lost = observer.buffer.takeLost();
  if (lost > 0) log().warn({ lost }, "verifications were not counted: too many different ones at once");
  observer.buffer
    .flush(Date.now())
    .catch((error: Error) => log().error({ err: error }, "verifications could not be recorded; trying again"));
}

async function write(batch: Counted[]): Promise<void> {
  const { orgId, actor } = batch[0]!.event;
  await recordVerificationEvents(
    { orgId, actor, scopes: new Set(["verify"]), requestId: newPublicId("req"), now: new Date() },
    batch.map(({ event: { type, facts, channel }, count }) => ({
      type,
      channel,
      facts: { object: "verification" as const, ...facts, count },
    })),
  );
}
