import { z } from "zod";
import { parseInput } from "@/server/core/input";
import { count } from "@/server/core/limiter";
import { log } from "@/server/core/log";

const body = z.object({ logs: z.array(z.string().max(10_000)).max(100) });

/** How many lines of phones are logged a minute, of all phones. */
export const loggedAMinute = 20;

/**
 * Logs what a phone reports of this web service (Wallet Passes, "Log a Message"). Anybody may send it, so it is logged
 * as data, at level info, and only so many lines a minute.
 */
export function noteDeviceLog(sent: unknown): void {
  const { logs } = parseInput(body, sent);
  for (const line of logs.slice(0, 10))
    if (!count({ name: "wallet reports", points: loggedAMinute, seconds: 60 }, "all").isOver)
      log().info({ reported: line.slice(0, 500) }, "a phone with Apple Wallet reports");
}
