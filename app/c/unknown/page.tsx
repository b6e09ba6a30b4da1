import { UnknownCode } from "@/components/public/unknown-code";

/** What an unknown code is answered with, as 404 (server/http/web/credential-page.ts). */
export default UnknownCode;
