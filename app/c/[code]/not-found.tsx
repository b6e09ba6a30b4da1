import { UnknownCode } from "@/components/public/unknown-code";

export default UnknownCode;
