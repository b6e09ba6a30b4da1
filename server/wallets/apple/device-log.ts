import { z } from "zod";
import { parseInput } from "@/server/core/input";
import { count } from "@/server/core/limiter";
import { log } from "@/server/core/log";

const body = z.object({ logs: z.array(z.string().max(10_000)).max(100) });

/** How many lines are logged a minute, from all phones together. */
export const maxLinesPerMinute = 20;

/**
 * Logs the problems that a phone reports about this web service (Wallet Passes, "Log a Message"). The request needs no
 * authentication, so lines are logged as data, at level info, and limited per minute.
 */
export function noteDeviceLog(sent: unknown): void {
  const { logs } = parseInput(body, sent);
  for (const line of logs.slice(0, 10))
    if (!count({ name: "wallet reports", points: maxLinesPerMinute, seconds: 60 }, "all").isOver)
      log().info({ reported: line.slice(0, 500) }, "a phone with Apple Wallet reports");
}
