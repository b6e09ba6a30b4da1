import { introspectToken } from "@/server/http/oauth-endpoints";
import { oauthRoute } from "@/server/http/oauth";

export const POST = oauthRoute(introspectToken);
