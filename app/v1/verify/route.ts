import { route } from "@/server/http/route";
import { verifyCredential } from "@/server/verification/verify";
import { verificationSchema } from "@/server/verification/view";

export const POST = route({
  operation: verifyCredential,
  summary: "Verify a credential",
  description: "Decides at this moment whether a credential of any organisation is valid. 200 for every decision; 404 for a code that does not exist. An Idempotency-Key is ignored, so that a repeat never tells yesterday's decision.",
  response: verificationSchema,
  example: { request: { code: "7Q2M-0X4K-9VTB-C31E" } },
});
