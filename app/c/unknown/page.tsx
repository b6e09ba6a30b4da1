import { UnknownCode } from "@/components/public/unknown-code";

/** What proxy.ts answers with, as 404. */
export default UnknownCode;
