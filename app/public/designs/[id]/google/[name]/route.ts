import { addressBlock } from "@/server/core/address-block";
import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";
import { googlePicture } from "@/server/wallets/google/pictures";

/** A picture that Google loads for the passes of a design. */
export const GET = publicRoute(
  async (exchange) => {
    const { params, address } = exchange;
    const { orgId, picture } = await googlePicture(params["id"]!, params["name"]!, addressBlock(address));
    return downloadReply(exchange, orgId, picture);
  },
  { headers: openToAllOrigins, isFile: true },
);

export const OPTIONS = preflight("GET");
