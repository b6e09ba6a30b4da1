import { deletePolicyException } from "@/server/policies/delete-exception";
import { exceptionSchema } from "@/server/policies/exception-view";
import { putPolicyException } from "@/server/policies/put-exception";
import { route } from "@/server/http/rest/route";

export const PUT = route({
  operation: putPolicyException,
  summary: "Grant or deny one person a policy's credential",
  description: "Takes effect with the next run, and ends by itself at until.",
  response: exceptionSchema,
  example: { request: { effect: "grant", reason: "Visiting lecturer", until: "2027-03-31T22:00:00Z" } },
});

export const DELETE = route({
  operation: deletePolicyException,
  summary: "End a person's exception",
  response: null,
});
