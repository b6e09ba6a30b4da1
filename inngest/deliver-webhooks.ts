import { cron } from "inngest";
import { disableFailing } from "@/server/webhooks/disable-failing";
import { dispatcher } from "@/server/webhooks/running";
import { settleStrays } from "@/server/webhooks/strays";
import { inngest } from "./client";
import { deliveriesDue } from "./events";
import { tellFailure } from "./tell-failure";

/** A run ends after this time at the latest; the dispatcher goes on. */
const withinMs = 10_000;

/**
 * Sends the deliveries that are due by the clock: retries, what was resent or recovered, and what a process that was killed had leased.
 * Disables the endpoints whose time is up before, so that nothing is sent to them.
 */
export const deliverWebhooks = inngest.createFunction(
  { id: "deliver-webhooks", retries: 3, onFailure: tellFailure, triggers: [deliveriesDue, cron("* * * * *")], concurrency: { limit: 1 } },
  async () => {
    await disableFailing(new Date());
    await settleStrays(new Date());
    await dispatcher().drain({ withinMs });
  },
);
