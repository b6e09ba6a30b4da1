import { consumeAddress } from "@/server/http/rest/rate-limit";
import { emptyReply, walletRoute } from "@/server/http/rest/wallet-route";
import { changedPasses } from "@/server/wallets/apple/changed-passes";

export const GET = walletRoute(
  ({ params }) => params["device"]!,
  async ({ request, params, address }) => {
    const tag = new URL(request.url).searchParams.get("passesUpdatedSince") ?? undefined;
    const changed = await changedPasses({ deviceId: params["device"]!, passTypeId: params["passType"]! }, tag);
    if (!changed) {
      await consumeAddress(address);
      return emptyReply(204);
    }
    return {
      status: 200,
      body: JSON.stringify(changed),
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    };
  },
);
