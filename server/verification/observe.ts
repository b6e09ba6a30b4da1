import { newPublicId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { processState } from "@/server/core/process-state";
import { recordSightings } from "./record-sightings";
import { Sightings, type Counted, type Sighting } from "./sightings";

/** How long a first sighting waits to be written together with others. */
const flushMs = 500;

interface Observer {
  sightings: Sightings;
  timer?: NodeJS.Timeout | undefined;
}

// Once per process: the server's stop also flushes what pages have seen.
const observer = processState("verification observer", (): Observer => ({ sightings: new Sightings(write) }));

/** Notes that a credential was looked at. Returns at once; the event is written in the background within a second. */
export function observe(sighting: Sighting): void {
  observer.sightings.note(sighting, Date.now());
  observer.timer ??= setInterval(tick, flushMs).unref();
}

/** Writes what is not yet written: called on a clean stop. */
export async function flushVerifications(): Promise<void> {
  await observer.sightings.flush(Date.now(), true);
}

function tick(): void {
  if (observer.sightings.isEmpty) {
    clearInterval(observer.timer);
    observer.timer = undefined;
    return;
  }
  const lost = observer.sightings.takeLost();
  if (lost > 0) log().warn({ lost }, "verifications were not counted: too many different ones at once");
  observer.sightings
    .flush(Date.now())
    .catch((error: Error) => log().error({ err: error }, "verifications could not be recorded; trying again"));
}

async function write(batch: Counted[]): Promise<void> {
  const { orgId, actor } = batch[0]!.sighting;
  await recordSightings(
    { orgId, actor, scopes: new Set(["verify"]), requestId: newPublicId("req"), now: new Date() },
    batch.map(({ sighting: { type, facts }, count }) => ({
      type,
      facts: { object: "verification" as const, ...facts, count },
    })),
  );
}
