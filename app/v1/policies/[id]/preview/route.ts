import { previewPolicy, previewSchema } from "@/server/policies/preview";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: previewPolicy,
  summary: "See what a policy would do now",
  description: "Nothing is written. halt says whether an apply would wait for approval.",
  response: previewSchema,
  example: { request: { actions: ["suspend", "revoke"], limit: 100 } },
});
