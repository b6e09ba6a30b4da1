import { approveName } from "@/server/holders/approve-name";
import { listNameRequests } from "@/server/holders/list-name-requests";
import { rejectName } from "@/server/holders/reject-name";
import { fromCommand, fromQuery, router } from "../trpc";

export const holdersRouter = router({
  nameRequests: fromQuery(listNameRequests),
  approveName: fromCommand(approveName),
  rejectName: fromCommand(rejectName),
});
