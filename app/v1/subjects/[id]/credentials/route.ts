import { pageOf } from "@/server/core/pagination";
import { listCredentialsOfSubject } from "@/server/credentials/list";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listCredentialsOfSubject,
  summary: "List a subject's credentials",
  description: "All that the subject ever held, newest first; with the filters of GET /v1/credentials.",
  response: pageOf(credentialSchema),
});
