import { cancelMessage } from "@/server/messages/cancel";
import { getMessageDefaults } from "@/server/messages/defaults";
import { getMessage } from "@/server/messages/get";
import { getMessageText } from "@/server/messages/get-text";
import { listMessages } from "@/server/messages/list";
import { previewMessage } from "@/server/messages/preview";
import { resendMessage } from "@/server/messages/resend";
import { listAlertsToMe } from "@/server/notifications/list-alerts";
import { sendTestMessage } from "@/server/notifications/send-test-message";
import { fromCommand, fromQuery, router } from "../trpc";

export const messagesRouter = router({
  list: fromQuery(listMessages),
  get: fromQuery(getMessage),
  text: fromQuery(getMessageText),
  alerts: fromQuery(listAlertsToMe),
  cancel: fromCommand(cancelMessage),
  resend: fromCommand(resendMessage),
  defaults: fromQuery(getMessageDefaults),
  preview: fromQuery(previewMessage),
  sendTest: fromCommand(sendTestMessage),
});
