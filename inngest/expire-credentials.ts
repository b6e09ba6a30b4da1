import { setTimeout as sleep } from "node:timers/promises";
import { cron } from "inngest";
import { nextDueAt, applyClockToDueCredentials } from "@/server/credentials/sweep";
import { inngest } from "./client";
import { credentialsDue, credentialsDueAt, plannedAheadMs } from "./events";
import { tellFailure } from "./tell-failure";

const withinMs = 10_000;
/** What is due sooner than this is waited for here: a run of its own would come no earlier. */
const soonMs = 1000;
/** Before another look at rows that are due and were passed over, since a command holds them. */
const againMs = 1000;

/**
 * Writes what the clock has decided of credentials, with its events: readers see it without this. Woken at the instant
 * at which the next one starts or expires, by the command that sets it (inngest/nudge.ts) or by the run before; the
 * cron finds whatever no wake-up was sent for.
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
    const until = Date.now() + withinMs;
    let written = 0;
    for (;;) {
      const settled = await applyClockToDueCredentials(new Date());
      written += settled;
      if (settled > 0 && Date.now() < until) continue;
      const next = await nextDueAt();
      const ahead = (next?.getTime() ?? Infinity) - Date.now();
      if (ahead > 0 && ahead < soonMs && Date.now() + ahead < until) {
        await sleep(ahead);
        continue;
      }
      if (next && ahead < plannedAheadMs)
        await inngest.send(credentialsDueAt(ahead > 0 ? next : new Date(Date.now() + againMs)));
      return { written };
    }
  },
);
