import { cron } from "inngest";
import { Failures } from "@/server/core/failures";
import { queueExpiringMessages } from "@/server/messages/sweep-expiring";
import { sendMessages } from "@/server/notifications/send-messages";
import { mailSettings } from "@/server/notifications/settings";
import { inngest } from "./client";
import { mailsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** How long one run queues notices of coming expiries, in milliseconds. The next run continues. */
const withinMs = 5_000;

/**
 * Queues notices that credentials expire soon, and sends all due messages to holders, even if some notices could not be
 * queued. Without an SMTP server the messages wait in the outbox.
 */
export const sendMessagesFunction = inngest.createFunction(
  {
    id: "send-messages",
    retries: 3,
    onFailure: tellFailure,
    triggers: [mailsQueued, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const failures = new Failures();
    const queued = await failures.keep(queueExpiringMessages(new Date(), new Date(Date.now() + withinMs)));
    const sent = await sendMessages(mailSettings(), () => new Date());
    failures.throw();
    return { queued, ...sent };
  },
);
