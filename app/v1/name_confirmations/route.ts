import { listConfirmations } from "@/server/confirmations/list";
import { pageOf } from "@/server/core/pagination";
import { confirmationSchema } from "@/server/credentials/confirmation";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listConfirmations,
  summary: "List names to confirm",
  description: "Oldest first. Those that were decided are deleted after 90 days.",
  response: pageOf(confirmationSchema),
});
