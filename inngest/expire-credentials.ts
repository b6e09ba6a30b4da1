import { setTimeout as sleep } from "node:timers/promises";
import { cron } from "inngest";
import { nextDueAt, applyClockToDueCredentials } from "@/server/credentials/sweep";
import { inngest } from "./client";
import { credentialsDue, credentialsDueAt, plannedAheadMs } from "./events";
import { tellFailure } from "./tell-failure";
import { Turn } from "./turn";

const withinMs = 10_000;
/** If the next credential is due within this time, the run waits for it: a separate run would come no earlier. */
const soonMs = 1000;
/** Delay before looking again at due rows that were skipped because a command holds their locks. */
const againMs = 1000;

/**
 * Records that credentials have started or expired, with their events. Readers compute the state by the clock and do
 * not wait for this.
 * The command that sets the next instant (inngest/nudge.ts), or the run before, sends a wake-up for it. The cron finds
 * credentials for which no wake-up was sent.
 */
export const expireCredentials = inngest.createFunction(
  {
    id: "expire-credentials",
    retries: 3,
    onFailure: tellFailure,
    triggers: [credentialsDue, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const turn = new Turn(withinMs);
    let written = 0;
    for (;;) {
      const changed = await applyClockToDueCredentials(new Date());
      written += changed;
      if (changed > 0 && !turn.isOver) continue;
      const next = await nextDueAt();
      const ahead = (next?.getTime() ?? Infinity) - Date.now();
      if (ahead > 0 && ahead < soonMs && !turn.isOver) {
        await sleep(ahead);
        continue;
      }
      if (next && ahead < plannedAheadMs)
        await inngest.send(credentialsDueAt(ahead > 0 ? next : new Date(Date.now() + againMs)));
      return { written };
    }
  },
);
