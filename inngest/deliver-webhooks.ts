import { cron } from "inngest";
import { disableFailing } from "@/server/webhooks/endpoints/disable-failing";
import { dispatcher } from "@/server/webhooks/dispatch/running";
import { parkLeftoverDeliveries } from "@/server/webhooks/deliveries/park-leftovers";
import { inngest } from "./client";
import { deliveriesDue } from "./events";
import { tellFailure } from "./tell-failure";

/** A run ends after this time at the latest; the dispatcher goes on. */
const withinMs = 10_000;

/**
 * Sends the deliveries that are due by the clock: retries, what was resent or recovered, and what a process that was
 * killed had leased. Disables the endpoints whose time is up before, so that nothing is sent to them. Each part runs
 * whatever became of those before it.
 */
export const deliverWebhooks = inngest.createFunction(
  {
    id: "deliver-webhooks",
    retries: 3,
    onFailure: tellFailure,
    triggers: [deliveriesDue, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const parts = [
      () => disableFailing(new Date()),
      () => parkLeftoverDeliveries(new Date()),
      () => dispatcher().drain({ withinMs }),
    ];
    const failures: unknown[] = [];
    for (const part of parts) await part().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw failures.length === 1
        ? failures[0]
        : new AggregateError(failures, "several parts of the sweep of webhook deliveries failed");
  },
);
