import { publicRoute } from "@/server/http/rest/public-route";
import { readJson } from "@/server/http/rest/read-body";
import { emptyReply } from "@/server/http/rest/wallet-route";
import { noteDeviceLog } from "@/server/wallets/apple/device-log";

export const POST = publicRoute(async ({ request }) => {
  noteDeviceLog(await readJson(request, { bytes: 64 * 1024, values: 1000 }));
  return emptyReply(200);
});
