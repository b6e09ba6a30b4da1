import type { ZodOpenApiOperationObject } from "zod-openapi";
import { badgeOperations } from "./badge-operations";
import { issuerOperations } from "./issuer-operations";
import { oauthOperations } from "./oauth-operations";
import { verificationOperations } from "./verification-operations";

/** Endpoints without a bearer token. They have their own dialects, so they are described by hand. */
export const publicOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [
  ...verificationOperations,
  ...badgeOperations,
  ...issuerOperations,
  ...oauthOperations,
];
