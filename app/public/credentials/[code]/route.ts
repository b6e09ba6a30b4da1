import { openToAllOrigins, preflight } from "@/server/http/rest/cors";
import { publicRoute } from "@/server/http/rest/public-route";
import { alwaysRevalidated, verificationAnswer } from "@/server/http/rest/verification-answer";
import { verifyCode } from "@/server/verification/verify-code";
import { viewerOf } from "@/server/verification/viewer";

export const GET = publicRoute(
  async ({ request, params, address, now }) => {
    const viewer = viewerOf(address, request.headers.get("user-agent"));
    return verificationAnswer(request, await verifyCode(params["code"]!, { via: "public", viewer, now }));
  },
  { headers: { ...openToAllOrigins, ...alwaysRevalidated } },
);

export const OPTIONS = preflight("GET");
