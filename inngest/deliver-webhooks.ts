import { cron } from "inngest";
import { Failures } from "@/server/core/failures";
import { disableFailing } from "@/server/webhooks/endpoints/disable-failing";
import { dispatcher } from "@/server/webhooks/dispatch/running";
import { parkLeftoverDeliveries } from "@/server/webhooks/deliveries/park-leftovers";
import { inngest } from "./client";
import { deliveriesDue } from "./events";
import { tellFailure } from "./tell-failure";

/** A run ends after this time at the latest; the dispatcher continues on its own. */
const withinMs = 10_000;

/**
 * Sends the deliveries that are due: retries, resent and recovered deliveries, and those whose process died holding the
 * lease.
 * First disables the endpoints that have failed for too long, so that nothing more is sent to them. A part that fails
 * does not stop the parts after it.
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
    const failures = new Failures();
    for (const part of parts) await failures.keep(part());
    failures.throw();
  },
);
