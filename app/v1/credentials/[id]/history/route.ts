import { pageOf } from "@/server/core/pagination";
import { historyEntrySchema, listCredentialHistory } from "@/server/credentials/history";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listCredentialHistory,
  summary: "List what happened to a credential",
  response: pageOf(historyEntrySchema),
});
