import { pageOf } from "@/server/core/pagination";
import { exceptionSchema } from "@/server/policies/exception-view";
import { listPolicyExceptions } from "@/server/policies/list-exceptions";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listPolicyExceptions,
  summary: "List the exceptions of a policy",
  response: pageOf(exceptionSchema),
});
