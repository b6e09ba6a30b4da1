import { cron } from "inngest";
import { nextDueAt, settleDueCredentials } from "@/server/credentials/sweep";
import { inngest } from "./client";
import { credentialsDue } from "./events";
import { tellFailure } from "./tell-failure";

const withinMs = 10_000;
const cronMs = 60_000;

/**
 * Writes what the clock has decided of credentials, with its events: readers see it without this. Wakes itself at the next
 * instant at which one starts or expires, where that comes before the cron does.
 */
export const expireCredentials = inngest.createFunction(
  { id: "expire-credentials", retries: 3, onFailure: tellFailure, triggers: [credentialsDue, cron("* * * * *")], concurrency: { limit: 1 } },
  async () => {
    const until = Date.now() + withinMs;
    let written = 0;
    for (let more = 1; more > 0 && Date.now() < until; written += more) {
      more = await settleDueCredentials(new Date());
    }
    const next = await nextDueAt();
    const ahead = (next?.getTime() ?? Infinity) - Date.now();
    if (next && ahead > 0 && ahead < cronMs) {
      await inngest.send(credentialsDue.create({}, { id: `credentials-due-${next.getTime()}`, ts: next.getTime() }));
    }
    return { written };
  },
);
