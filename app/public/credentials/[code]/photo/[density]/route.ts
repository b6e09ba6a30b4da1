import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";
import { alwaysRevalidated } from "@/server/http/rest/verification-answer";
import { openPublicPhoto } from "@/server/verification/public-photo";

export const GET = publicRoute(
  async (exchange) => {
    const { orgId, photo } = await openPublicPhoto({
      ...exchange.params,
      accept: exchange.request.headers.get("accept") ?? undefined,
    });
    return downloadReply(exchange, orgId, photo);
  },
  { headers: { ...openToAllOrigins, ...alwaysRevalidated } },
);

export const OPTIONS = preflight("GET");
