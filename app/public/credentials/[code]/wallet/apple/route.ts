import { addressBlock } from "@/server/core/address-block";
import { downloadReply } from "@/server/http/rest/download-reply";
import { publicRoute } from "@/server/http/rest/public-route";
import { publicApplePass } from "@/server/wallets/apple/public-pass";

export const GET = publicRoute(async (exchange) => {
  const { params, address, requestId, now } = exchange;
  const { orgId, file } = await publicApplePass(params["code"]!, { caller: addressBlock(address), requestId, now });
  return downloadReply(exchange, orgId, file);
});
