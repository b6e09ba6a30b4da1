import { cancelConfirmation } from "@/server/confirmations/cancel";
import { confirmName } from "@/server/confirmations/confirm";
import { getConfirmation } from "@/server/confirmations/get";
import { listConfirmations } from "@/server/confirmations/list";
import { resendConfirmation } from "@/server/confirmations/resend";
import { fromCommand, fromQuery, router } from "../trpc";

export const confirmationsRouter = router({
  list: fromQuery(listConfirmations),
  get: fromQuery(getConfirmation),
  confirm: fromCommand(confirmName),
  resend: fromCommand(resendConfirmation),
  cancel: fromCommand(cancelConfirmation),
});
