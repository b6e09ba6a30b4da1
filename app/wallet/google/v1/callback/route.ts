import { emptyReply, walletRoute } from "@/server/http/rest/wallet-route";
import { receiveGoogleCallback } from "@/server/wallets/google/receive-callback";

export const POST = walletRoute(null, async ({ body, requestId, now }) => {
  await receiveGoogleCallback(await body(), { requestId, now });
  return emptyReply(200);
});
