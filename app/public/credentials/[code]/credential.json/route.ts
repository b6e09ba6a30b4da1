import { publicCredentialDocument } from "@/server/badges/public-files";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";
import { alwaysRevalidated } from "@/server/http/rest/verification-answer";

export const GET = publicRoute(
  async (exchange) => {
    const accept = exchange.request.headers.get("accept") ?? undefined;
    const { orgId, file } = await publicCredentialDocument(exchange.params["code"]!, accept, exchange.now);
    return downloadReply(exchange, orgId, file);
  },
  { headers: { ...openToAllOrigins, ...alwaysRevalidated } },
);

export const OPTIONS = preflight("GET");
