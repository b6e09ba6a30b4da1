import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { namesTag } from "@/server/http/rest/if-none-match";
import { publicRoute } from "@/server/http/rest/public-route";
import { publicPicture } from "@/server/verification/public-picture";

/** A picture on the card of a credential's page. */
export const GET = publicRoute(
  async ({ request, params, now }) => {
    const { type, bytes, version } = await publicPicture(params["code"]!, params["name"]!, now);
    const isNamed = new URL(request.url).searchParams.get("v") === version;
    const headers = {
      etag: `"${version}"`,
      "cache-control": isNamed ? "public, max-age=31536000, immutable" : "no-cache",
    };
    if (namesTag(request.headers.get("if-none-match"), headers.etag)) return { status: 304, body: null, headers };
    return { status: 200, body: bytes, headers: { ...headers, "content-type": type } };
  },
  { headers: openToAllOrigins, query: ["v"], isFile: true },
);

export const OPTIONS = preflight("GET");
