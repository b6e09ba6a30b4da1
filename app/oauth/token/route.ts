import { issueToken } from "@/server/http/oauth/endpoints";
import { oauthRoute } from "@/server/http/oauth/client-request";

export const POST = oauthRoute(issueToken);
