import { emptyReply, walletRoute } from "@/server/http/rest/wallet-route";
import { takeGoogleCallback } from "@/server/wallets/google/take-callback";

export const POST = walletRoute(null, async ({ body, requestId, now }) => {
  await takeGoogleCallback(await body(), { requestId, now });
  return emptyReply(200);
});
