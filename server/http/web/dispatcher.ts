import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { problemResponse } from "@/server/http/rest/problem";
import { tidyPath } from "@/server/http/scim/tidy-path";
import { scimRefusal } from "@/server/http/scim/refusal";
import { apiSegments } from "./api-path";
import { noteRequest } from "./request-metrics";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** A route file of the API. */
export interface Route {
  path: string;
  /** Returns the exports of the file: a handler for each method, and others. */
  load(): object | Promise<object>;
}

/**
 * Dispatches requests to the API's route files by method and path as Next would, at a tenth of the cost
 * (docs/decisions/047).
 */
export function dispatcherOf(routes: readonly Route[]): (request: Request) => Response | Promise<Response> {
  const app = new Hono({ getPath: (request) => tidyPath(getPath(request)) });
  for (const { path, load } of routes) {
    app.all(path, async (c) => {
      const startedAt = performance.now();
      const method = c.req.method === "HEAD" ? "GET" : c.req.method;
      const byMethod = (await load()) as Partial<Record<string, Handler>>;
      const handler = byMethod[method];
      // Pass the parameters still encoded, as Next does; the handler decodes them.
      const answer = handler
        ? await handler(c.req.raw, { params: Promise.resolve(rawParams(path, c.req.raw.url)) })
        : methodNotAllowed(method, path, allowedOf(byMethod));
      noteRequest(method, path, answer.status, startedAt);
      return answer;
    });
  }
  app.notFound((c) => refusalAt(c.req.path)(unknownPath(c.req.path), newPublicId("req")));
  return (request) => app.fetch(request);
}

const allowedOf = (byMethod: Partial<Record<string, Handler>>) =>
  methods.flatMap((method) => (byMethod[method] ? (method === "GET" ? ["GET", "HEAD"] : [method]) : []));

function unknownPath(path: string): DomainError {
  return new DomainError("not_found", `There is no ${path} here. ${hintAt(path)}`);
}

function hintAt(path: string): string {
  const [, first = ""] = path.split("/");
  const lower = first.toLowerCase();
  if (lower === "scim") return "SCIM is at /scim/v2, in lower case.";
  if (lower === "wallet")
    return "Phones with Apple Wallet ask below /wallet/apple/v1, and Google calls /wallet/google/v1/callback. Holders add a pass from the verifyUrl of their credential.";
  return lower !== first && apiSegments.includes(lower)
    ? "Paths are in lower case."
    : "The API is at /v1, its description at /openapi.json.";
}

function rawParams(pattern: string, url: string): Record<string, string> {
  if (!pattern.includes(":")) return {};
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.indexOf("?", start);
  const parts = tidyPath(url.slice(start, end === -1 ? undefined : end)).split("/");
  const params: Record<string, string> = {};
  pattern.split("/").forEach((part, i) => {
    if (part.startsWith(":")) params[part.slice(1).replace(/\{.*/, "")] = parts[i] ?? "";
  });
  return params;
}

function methodNotAllowed(method: string, path: string, allowed: string[]): Response {
  const allow = allowed.join(", ");
  const error = new DomainError("method_not_allowed", `${method} is not allowed here; allowed: ${allow}.`, {
    headers: { allow },
  });
  return refusalAt(path)(error, newPublicId("req"));
}

/** How refusals below a path are written: as SCIM has it below /scim in either case, else as a problem. */
const refusalAt = (path: string) => (/^\/scim(?:\/|$)/i.test(path) ? scimRefusal : problemResponse);
