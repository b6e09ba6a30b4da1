import { pageOf } from "@/server/core/pagination";
import { listGroupsOfSubject } from "@/server/groups/list-of-subject";
import { groupSchema } from "@/server/groups/view";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listGroupsOfSubject,
  summary: "List a subject's groups",
  response: pageOf(groupSchema),
});
