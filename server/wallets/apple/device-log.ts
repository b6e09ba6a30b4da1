import { z } from "zod";
import { parseInput } from "@/server/core/input";
import { log } from "@/server/core/log";

const body = z.object({ logs: z.array(z.string().max(10_000)).max(100) });

/**
 * Logs what a phone reports of this web service (Wallet Passes, "Log a Message"). Anybody may send it, so it is bounded
 * and logged as data.
 */
export function noteDeviceLog(sent: unknown): void {
  const { logs } = parseInput(body, sent);
  for (const line of logs.slice(0, 10))
    log().warn({ reported: line.slice(0, 500) }, "a phone with Apple Wallet reports");
}
