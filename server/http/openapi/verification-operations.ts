import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { verifyInput } from "@/server/verification/verify";
import { verificationSchema } from "@/server/verification/view";
import { publicErrorResponses } from "./problem-schema";

const tags = ["public verification"];
const responses = {
  "200": { description: "The decision, whether or not the credential is valid.", content: { "application/json": { schema: verificationSchema } } },
  ...publicErrorResponses,
};
const unchanged = { "304": { description: "As it was: If-None-Match names the decision's ETag." } };

/** Verification for anyone, without authentication (spec section 5). */
export const verificationOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  {
    path: "/public/credentials/{code}",
    method: "get",
    operationId: "publicCredential",
    tags,
    summary: "Verify a credential by its code",
    description: "The code is read without regard to case, hyphens and spaces. The answer is computed anew each time; a revocation shows at once.",
    requestParams: { path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }) },
    responses: { ...responses, ...unchanged },
  },
  {
    path: "/public/verify",
    method: "get",
    operationId: "publicVerify",
    tags,
    summary: "Verify a credential by its code, as a query",
    requestParams: { query: z.object(verifyInput.shape) },
    responses: { ...responses, ...unchanged },
  },
  {
    path: "/public/verify",
    method: "post",
    operationId: "publicVerifyPost",
    tags,
    summary: "Verify a credential by its code, as a body",
    requestBody: { required: true, content: { "application/json": { schema: verifyInput, example: { code: "7K3M-Q9ZX-4T2B-8WNE" } } } },
    responses,
  },
];
