import { cron } from "inngest";
import { mailSettings } from "@/server/notifications/settings";
import { notify } from "@/server/notifications/notify";
import { inngest } from "./client";
import { mailsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** Finds what people are to be told by e-mail, and tells them; nothing where no SMTP server is configured. */
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
