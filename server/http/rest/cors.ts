import { newPublicId } from "@/server/core/ids";
import { respond } from "./respond";

/** Lets scripts of any page read a response that is public anyway (Fetch standard, CORS protocol). */
export const openToAllOrigins = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "etag, request-id, retry-after, ratelimit, ratelimit-policy",
};

/** Answers the preflight of a path with these methods; the answer may be cached for a day. */
export function preflight(...methods: string[]) {
  const headers = {
    ...openToAllOrigins,
    "access-control-allow-methods": [...methods, "OPTIONS"].join(", "),
    "access-control-allow-headers": "accept, cache-control, content-type, if-none-match, pragma",
    "access-control-max-age": "86400",
    "cache-control": "max-age=86400",
  };
  return async (): Promise<Response> =>
    respond(null, { status: 204, headers: { ...headers, "request-id": newPublicId("req") } });
}
