import { resumeCredential } from "@/server/credentials/resume";
import { credentialSchema } from "@/server/credentials/view";
import { route } from "@/server/http/route";

export const POST = route({
  operation: resumeCredential,
  summary: "Resume a suspended credential",
  description: "409 once the credential has expired.",
  response: credentialSchema,
  example: { request: {} },
});
