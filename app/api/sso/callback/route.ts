import { ssoCallback } from "@/server/http/web/sso-callback";

export { ssoCallback as GET };
