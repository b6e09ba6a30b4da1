import { route } from "@/server/http/rest/route";
import { verificationFile } from "@/server/http/rest/verification-file";
import { maxVerifyValues, verifyCredential } from "@/server/verification/verify";
import { verificationSchema } from "@/server/verification/view";

export const POST = route({
  operation: verifyCredential,
  summary: "Verify a credential",
  description:
    "Decides at this moment whether a credential is valid: one of any organisation of this service by its code, or credential, a W3C verifiable credential of any issuer as JSON, vc+jwt or a file (a badge that is baked into a PNG or SVG, or a certificate as PDF; in a form, or as the body itself). The credential can be the body itself as application/json, too, and under the media types that issuers serve it with: application/vc, application/vc+jwt, application/ld+json. 200 for every decision; 404 for a code that does not exist. The document of a credential of this service is answered as its code is, with what the document states; of the two decisions, the worse one is told. An Idempotency-Key is ignored, so that a repeat never tells yesterday's decision.",
  response: verificationSchema,
  valueLimit: maxVerifyValues,
  file: verificationFile,
  example: { request: { code: "7Q2M-0X4K-9VTB-C31E" } },
});
