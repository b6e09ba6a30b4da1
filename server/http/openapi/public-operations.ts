import type { ZodOpenApiOperationObject } from "zod-openapi";

/** Endpoints without a bearer token, which speak dialects of their own and so are described by hand. */
export const publicOperations: (ZodOpenApiOperationObject & { path: string; method: "get" | "post" })[] = [];
