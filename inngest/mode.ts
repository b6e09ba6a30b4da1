import { env } from "@/server/core/env";

/** Returns which engine runs the functions: a configured Inngest server, or the embedded one in this process. */
export function engineMode(): "embedded" | "inngest" {
  return env().INNGEST_BASE_URL === undefined ? "embedded" : "inngest";
}
