import { parseInput } from "@/server/core/input";
import { publicRoute } from "@/server/http/rest/public-route";
import { readJson } from "@/server/http/rest/read-body";
import { shareCode, shareInput } from "@/server/verification/share";
import { viewerOf } from "@/server/verification/viewer";

export const POST = publicRoute(async ({ request, params, address, now }) => {
  const { channel } = parseInput(shareInput, await readJson(request, { bytes: 1024, values: 10 }));
  await shareCode(params["code"]!, { channel, viewer: viewerOf(address, request.headers.get("user-agent")), now });
  return { status: 204, body: null, headers: {} };
});
