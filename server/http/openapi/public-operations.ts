import type { ZodOpenApiOperationObject } from "zod-openapi";
import { oauthOperations } from "./oauth-operations";
import { verificationOperations } from "./verification-operations";

/** Endpoints without a bearer token, which speak dialects of their own and so are described by hand. */
export const publicOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  ...verificationOperations,
  ...oauthOperations,
];
