import { clientAddress } from "@/server/http/rest/client-address";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { endpoint, type Exchange } from "@/server/http/rest/endpoint";
import { namesTag } from "@/server/http/rest/if-none-match";
import { problemResponse } from "@/server/http/rest/problem";
import { consumePage } from "@/server/http/rest/rate-limit";
import { readQuery, refuseUnknown } from "@/server/http/rest/read-url";
import { publicPicture } from "@/server/verification/public-picture";

/** Counted as a file of a page and not as a request of the API, because each visitor of the page loads it. */
const dialect = {
  headers: openToAllOrigins,
  async admit(exchange: Exchange) {
    Object.assign(exchange.headers, await consumePage(clientAddress(exchange.request), "file"));
    refuseUnknown(readQuery(exchange.request.url), ["v"]);
  },
  refuse: problemResponse,
};

/** A picture on the card of a credential's page. */
export const GET = endpoint(dialect, async ({ request, params, now }) => {
  const { type, bytes, version } = await publicPicture(params["code"]!, params["name"]!, now);
  const isNamed = new URL(request.url).searchParams.get("v") === version;
  const headers = {
    etag: `"${version}"`,
    "cache-control": isNamed ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (namesTag(request.headers.get("if-none-match"), headers.etag)) return { status: 304, body: null, headers };
  return { status: 200, body: bytes, headers: { ...headers, "content-type": type } };
});

export const OPTIONS = preflight("GET");
