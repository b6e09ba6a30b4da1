import { downloadReply } from "@/server/http/rest/download-reply";
import { walletRoute } from "@/server/http/rest/wallet-route";
import { byPass } from "@/server/wallets/apple/find-pass";
import { latestPass } from "@/server/wallets/apple/latest-pass";

export const GET = walletRoute(byPass, async (exchange) => {
  const { request, params, authorization, now } = exchange;
  const serial = params["serial"]!;
  const { orgId, lastModified, file } = await latestPass({
    passTypeId: params["passType"]!,
    serial,
    authorization,
    ifModifiedSince: request.headers.get("if-modified-since"),
    caller: serial,
    now,
  });
  const headers = { "last-modified": lastModified, "cache-control": "no-store" };
  if (!file) return { status: 304, body: null, headers };
  const reply = await downloadReply(exchange, orgId, file);
  return { ...reply, headers: { ...reply.headers, ...headers } };
});
