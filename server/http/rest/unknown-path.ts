import { DomainError } from "@/server/core/errors";
import { endpoint } from "./endpoint";
import { problemResponse } from "./problem";

/** Answers an unknown path under /v1 with a problem document, never an HTML page. */
export const unknownPath = endpoint({ admit: async () => undefined, refuse: problemResponse }, async ({ request }) => {
  throw new DomainError("not_found", `There is no ${new URL(request.url).pathname} in this API. See /openapi.json.`);
});
