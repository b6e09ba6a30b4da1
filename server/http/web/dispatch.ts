import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { routes } from "@/server/http/generated/routes";
import { problemResponse } from "@/server/http/rest/problem";
import { tidyPath } from "@/server/http/scim/tidy-path";
import { scimRefusal } from "@/server/http/scim/refusal";
import { noteRequest } from "./request-metrics";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/**
 * First segments of the paths that are answered here without Next; no page has one of them. The viewer and the font of
 * the API reference are served here too, because Next would compress them anew for each request.
 */
const apiSegments = [
  "v1",
  "public",
  "scim",
  "oauth",
  "wallet",
  ".well-known",
  "healthz",
  "readyz",
  "metrics",
  "assets",
];
const apiPath = new RegExp(
  `^/(?:${apiSegments.map((s) => s.replace(".", "\\.")).join("|")})(?:[/?]|$)|^/(?:docs/(?:reference\\.js|inter\\.woff2)|offline\\.js|c/[^/?]+/app\\.webmanifest)(?:\\?|$)`,
);

/**
 * Paths of a caller who means the API but misses it: its paths in capitals, another version, the document in another
 * format. Answered with 404 as JSON.
 */
const nearlyApiPath =
  /^\/(?:v\d+(?:[/?]|$)|(?:public|scim|oauth|wallet|healthz|readyz|metrics)(?:[/?]|$)|openapi(?!\.json(?:\?|$))[./?]?)/i;

export function isApiPath(url: string): boolean {
  return apiPath.test(url) || nearlyApiPath.test(url);
}

/** Methods and paths whose request body is a file, as their route files declare. */
const filePaths = routes.flatMap(({ path, handlers }) =>
  Object.entries(handlers as Record<string, { spec?: { file?: object } }>)
    .filter(([, handler]) => handler.spec?.file)
    .map(([method]) => ({ method, path: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/?]+")}(?:\\?|$)`) })),
);

/** Whether the request's body is a file, which may take longer to arrive. */
export function takesFile(method: string, url: string): boolean {
  return filePaths.some((each) => each.method === method && each.path.test(url));
}

/**
 * Dispatches requests to the API's route files by method and path as Next would, at a tenth of the cost
 * (docs/decisions/047).
 */
export function createDispatcher(): (request: Request) => Response | Promise<Response> {
  const app = new Hono({ getPath: (request) => tidyPath(getPath(request)) });
  for (const { path, handlers } of routes) {
    const byMethod = handlers as Partial<Record<string, Handler>>;
    const allowed = methods.flatMap((method) =>
      byMethod[method] ? (method === "GET" ? ["GET", "HEAD"] : [method]) : [],
    );
    app.all(path, async (c) => {
      const startedAt = performance.now();
      const method = c.req.method === "HEAD" ? "GET" : c.req.method;
      const handler = byMethod[method];
      // Pass the parameters still encoded, as Next does; the handler decodes them.
      const answer = handler
        ? await handler(c.req.raw, { params: Promise.resolve(rawParams(path, c.req.raw.url)) })
        : methodNotAllowed(method, path, allowed);
      noteRequest(method, path, answer.status, startedAt);
      return answer;
    });
  }
  app.notFound((c) => refusalAt(c.req.path)(unknownPath(c.req.path), newPublicId("req")));
  return (request) => app.fetch(request);
}

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
