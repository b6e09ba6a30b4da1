import { publicRoute } from "@/server/http/rest/public-route";
import { publicGooglePass } from "@/server/wallets/google/public-pass";

export const GET = publicRoute(async ({ params, requestId, now }) => {
  const location = await publicGooglePass(params["code"]!, { requestId, now });
  return { status: 303, body: null, headers: { location, "cache-control": "no-store" } };
});
