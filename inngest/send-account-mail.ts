import { cron } from "inngest";
import { sendAccountMail } from "@/server/notifications/send-account-mail";
import { mailSettings } from "@/server/notifications/settings";
import { inngest } from "./client";
import { mailsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** Sends the due e-mails about accounts and addresses: invitations, password resets, codes of claims, links to the home. */
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
