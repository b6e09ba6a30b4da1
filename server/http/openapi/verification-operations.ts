import { z } from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import { verifyInput } from "@/server/verification/verify";
import { verificationSchema } from "@/server/verification/view";
import { refusalResponses } from "./problem-schema";
import { refusalsOf } from "./refusals";
import { tagOf } from "./tags";

const tags = [tagOf("/public")];
const decision = { "200": { description: "The decision, whether or not the credential is valid.", content: { "application/json": { schema: verificationSchema } } } };
const refusals = (operationId: string, takesBody = false) => refusalResponses(refusalsOf({ operationId, isPublic: true, takesBody, namesResource: true }));
const ifNoneMatch = { "If-None-Match": z.string().max(2000).optional().meta({ description: "The ETag of an earlier answer: 304 where nothing has changed since." }) };
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
    requestParams: { path: z.object({ code: z.string().meta({ example: "7K3M-Q9ZX-4T2B-8WNE" }) }), header: z.object(ifNoneMatch) },
    responses: { ...decision, ...unchanged, ...refusals("publicCredential") },
  },
  {
    path: "/public/verify",
    method: "get",
    operationId: "publicVerify",
    tags,
    summary: "Verify a credential by its code, as a query",
    description: "For a form of a web page, or where the code comes from a link.",
    requestParams: { query: z.object(verifyInput.shape), header: z.object(ifNoneMatch) },
    responses: { ...decision, ...unchanged, ...refusals("publicVerify") },
  },
  {
    path: "/public/verify",
    method: "post",
    operationId: "publicVerifyPost",
    tags,
    summary: "Verify a credential by its code, as a body",
    requestBody: { required: true, content: { "application/json": { schema: verifyInput, example: { code: "7K3M-Q9ZX-4T2B-8WNE" } } } },
    description: "The code stays out of addresses and their logs.",
    responses: { ...decision, ...refusals("publicVerifyPost", true) },
  },
];
