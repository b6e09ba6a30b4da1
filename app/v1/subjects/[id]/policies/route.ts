import { pageOf } from "@/server/core/pagination";
import { listPoliciesOfSubject, subjectPolicySchema } from "@/server/policies/list-of-subject";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listPoliciesOfSubject,
  summary: "List what each policy says of a subject",
  response: pageOf(subjectPolicySchema),
});
