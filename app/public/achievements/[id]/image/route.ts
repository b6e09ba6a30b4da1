import { publicAchievementImage } from "@/server/achievements/get-image";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";

export const GET = publicRoute(
  async (exchange) => {
    const { orgId, picture } = await publicAchievementImage(exchange.params["id"]!);
    return downloadReply(exchange, orgId, picture);
  },
  // `v` only distinguishes the addresses of successive pictures.
  { headers: openToAllOrigins, query: ["v"] },
);

export const OPTIONS = preflight("GET");
