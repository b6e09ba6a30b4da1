import { explainPolicy, explanationSchema } from "@/server/policies/explain";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: explainPolicy,
  summary: "Explain why a person is to hold a credential, or not",
  response: explanationSchema,
});
