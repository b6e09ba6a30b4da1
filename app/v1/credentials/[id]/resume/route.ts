import { resumeCredential } from "@/server/credentials/resume";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: resumeCredential,
  summary: "Resume a suspended credential",
  description:
    "409 once the credential has expired. The reason is kept in the history and told by credential.resumed; the note is private.",
  response: credentialSchema,
  example: { request: { reason: "Back from leave" } },
});
