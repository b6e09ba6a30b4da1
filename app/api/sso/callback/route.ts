import { ssoCallback } from "@/server/http/sso-callback";

export { ssoCallback as GET };
