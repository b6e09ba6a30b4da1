import { addressBlock } from "@/server/core/address-block";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";
import { alwaysRevalidated } from "@/server/http/rest/verification-answer";
import { publicPreview } from "@/server/verification/preview";

export const GET = publicRoute(
  async (exchange) => {
    const { params, address, now } = exchange;
    const { orgId, preview } = await publicPreview(params["code"]!, { caller: addressBlock(address), now });
    return downloadReply(exchange, orgId, preview);
  },
  { headers: { ...openToAllOrigins, ...alwaysRevalidated } },
);

export const OPTIONS = preflight("GET");
