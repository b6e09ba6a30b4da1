import { DomainError } from "@/server/core/errors";
import { endpoint } from "./endpoint";
import { problemResponse } from "./problem";

/** Answers for a path that does not exist, as everything under /v1 answers: a problem document, never an HTML page. */
export const unknownPath = endpoint({ admit: async () => undefined, refuse: problemResponse }, async ({ request }) => {
  throw new DomainError("not_found", `There is no ${new URL(request.url).pathname} in this API. See /openapi.json.`);
});
