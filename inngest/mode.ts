import { env } from "@/server/core/env";

/** Which engine runs the functions: a configured Inngest server, or the one in this process. */
export function engineMode(): "embedded" | "inngest" {
  return env().INNGEST_BASE_URL === undefined ? "embedded" : "inngest";
}
