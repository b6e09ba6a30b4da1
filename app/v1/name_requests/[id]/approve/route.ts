import { approveName } from "@/server/holders/approve-name";
import { nameRequestSchema } from "@/server/holders/name-request-view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: approveName,
  summary: "Approve a request for another name",
  description:
    "The subject has the name from now on. Each live academic credential is reissued, without a public link between the old name and the new one. A suspended one takes the scope credentials:revoke too.",
  response: nameRequestSchema,
});
