import { emptyReply, walletRoute, type WalletRequest } from "@/server/http/rest/wallet-route";
import { byPass } from "@/server/wallets/apple/find-pass";
import { registerDevice } from "@/server/wallets/apple/register-device";
import { unregisterDevice } from "@/server/wallets/apple/unregister-device";

const requestOf = ({ params, authorization, requestId, now }: WalletRequest) => ({
  deviceId: params["device"]!,
  passTypeId: params["passType"]!,
  serial: params["serial"]!,
  authorization,
  requestId,
  now,
});

export const POST = walletRoute(byPass, async (request) => {
  const { isNew } = await registerDevice(requestOf(request), await request.body());
  return emptyReply(isNew ? 201 : 200);
});

export const DELETE = walletRoute(byPass, async (request) => {
  await unregisterDevice(requestOf(request));
  return emptyReply(200);
});
