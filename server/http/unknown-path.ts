import { DomainError } from "@/server/core/errors";
import { newId } from "@/server/core/ids";
import { problemResponse } from "./problem";
import { checkUrl } from "./read-url";

/** Answers for a path that does not exist, as everything under /v1 answers: a problem document, never an HTML page. */
export async function unknownPath(request: Request): Promise<Response> {
  const requestId = newId("req");
  try {
    checkUrl(request.url);
    throw new DomainError("not_found", `There is no ${new URL(request.url).pathname} in this API. See /openapi.json.`);
  } catch (error) {
    return problemResponse(error, requestId);
  }
}
