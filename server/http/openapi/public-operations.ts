import type { ZodOpenApiOperationObject } from "zod-openapi";
import { oauthOperations } from "./oauth-operations";
import { verificationOperations } from "./verification-operations";

/** Endpoints without a bearer token. They have their own dialects, so they are described by hand. */
export const publicOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  ...verificationOperations,
  ...oauthOperations,
];
