import type { Server, ServerResponse } from "node:http";

/**
 * Cuts off clients that do not take their answer: `withinMs` after its first byte was written, whatever is left of it is given up.
 * Otherwise each such client holds its answer in memory for as long as it likes.
 * @param checkMs how often open answers are looked at: one timer for all of them.
 * @returns what watches an answer.
 */
export function cutSlowReaders(server: Server, withinMs: number, checkMs: number): (response: ServerResponse) => void {
  /** Answers that are not yet taken, with the time at which they were first seen under way. */
  const open = new Map<ServerResponse, number | null>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [response, since] of open) {
      if (since === null) {
        if (response.headersSent) open.set(response, now);
      } else if (now - since >= withinMs) response.socket?.destroy();
    }
  }, checkMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
  return (response) => {
    open.set(response, null);
    response.once("close", () => open.delete(response));
  };
}
