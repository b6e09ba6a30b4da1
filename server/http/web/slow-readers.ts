import type { Server, ServerResponse } from "node:http";

interface Limits {
  /**
   * How long an answer may take that is whole in memory. For one that streams, the length of the window in which its
   * speed is measured.
   */
  withinMs: number;
  /** How often open answers are looked at: one timer for all of them. */
  checkMs: number;
}

/** More than this waiting to be sent is an answer that was not streamed. */
const heldBytes = 1024 * 1024;
/** What a client must take of a stream. Slower ones would hold a place, and a file or a list open, for hours. */
const bytesPerSecond = 1024;

/**
 * Cuts off clients that do not take their answer. One that is whole in memory must be taken within `withinMs`, or each
 * such client holds it for as long as it likes. One that streams holds little, and may take hours: it must be read at 1
 * KiB a second or faster.
 * @returns what watches an answer.
 */
export function cutSlowReaders(server: Server, { withinMs, checkMs }: Limits): (response: ServerResponse) => void {
  /**
   * Open answers, with the time since which they are measured and what had been taken by then; null before their first
   * byte.
   */
  const open = new Map<ServerResponse, { since: number; taken: number } | null>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [response, mark] of open) {
      const { socket } = response;
      if (!socket || !response.headersSent) continue;
      const held = socket.writableLength + response.writableLength;
      const taken = socket.bytesWritten - held;
      if (mark === null) open.set(response, { since: now, taken });
      else if (now - mark.since < withinMs) continue;
      else if (held > heldBytes || taken - mark.taken < (bytesPerSecond * (now - mark.since)) / 1000) socket.destroy();
      else open.set(response, { since: now, taken });
    }
  }, checkMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
  return (response) => {
    open.set(response, null);
    response.once("close", () => open.delete(response));
  };
}
