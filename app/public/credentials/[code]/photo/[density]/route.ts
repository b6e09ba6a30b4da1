import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";
import { alwaysRevalidated } from "@/server/http/rest/verification-answer";
import { openPublicPhoto } from "@/server/verification/public-photo";

export const GET = publicRoute(
  async (exchange) => {
    const accept = exchange.request.headers.get("accept") ?? undefined;
    const { orgId, photo } = await openPublicPhoto({ ...exchange.params, accept }, exchange.now);
    return downloadReply(exchange, orgId, photo);
  },
  // `v` only makes the URL of a new photo differ from that of the old one, because photos are cached.
  { headers: { ...openToAllOrigins, ...alwaysRevalidated }, query: ["v"] },
);

export const OPTIONS = preflight("GET");
