import { cron } from "inngest";
import { sendAccountMail } from "@/server/notifications/send-account-mail";
import { mailSettings } from "@/server/notifications/settings";
import { inngest } from "./client";
import { mailsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** Sends invitations, password resets and e-mail verifications. */
export const sendAccountMailFunction = inngest.createFunction(
  {
    id: "send-account-mail",
    retries: 3,
    onFailure: tellFailure,
    triggers: [mailsQueued, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => sendAccountMail(mailSettings(), () => new Date()),
);
