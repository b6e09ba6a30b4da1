import { clientAddress } from "@/server/http/rest/client-address";
import { endpoint, type Exchange } from "@/server/http/rest/endpoint";
import { namesTag } from "@/server/http/rest/if-none-match";
import { problemResponse } from "@/server/http/rest/problem";
import { consumePage } from "@/server/http/rest/rate-limit";
import { publicPicture } from "@/server/verification/public-picture";

/** Counted as a file of a page, because each visitor of the page loads it. */
const dialect = {
  admit: async ({ request }: Exchange) => void (await consumePage(clientAddress(request), "file")),
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
