import { cron } from "inngest";
import { sendCredentialMail } from "@/server/notifications/send-credential-mail";
import { mailSettings } from "@/server/notifications/settings";
import { inngest } from "./client";
import { mailsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** Sends credentials to their holders by e-mail. Does nothing if no SMTP server is configured. */
export const sendCredentialMailFunction = inngest.createFunction(
  {
    id: "send-credential-mail",
    retries: 3,
    onFailure: tellFailure,
    triggers: [mailsQueued, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => sendCredentialMail(mailSettings(), () => new Date()),
);
