import { cron } from "inngest";
import { mailSettings } from "@/server/notifications/settings";
import { notify } from "@/server/notifications/notify";
import { inngest } from "./client";
import { mailsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** Finds notifications that are due and sends them by e-mail. If no SMTP server is configured, it keeps them unsent. */
export const sendNotifications = inngest.createFunction(
  {
    id: "send-notifications",
    retries: 3,
    onFailure: tellFailure,
    triggers: [mailsQueued, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => notify(mailSettings(), () => new Date()),
);
