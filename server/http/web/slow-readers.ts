import type { Server, ServerResponse } from "node:http";

interface Limits {
  /**
   * How long a client may take to receive a response that is whole in memory. For a streamed response, the length of
   * the window in which its speed is measured.
   */
  withinMs: number;
  /** How often open responses are checked, by one timer for all. */
  checkMs: number;
}

/** With more bytes than this waiting to be sent, a response was not streamed. */
const heldBytes = 1024 * 1024;
/**
 * Slowest speed at which a client may read a stream. Slower ones would keep a connection, and a file or list, open for
 * hours.
 */
const bytesPerSecond = 1024;

/**
 * Cuts off clients that do not take their response. A response that is whole in memory must be taken within `withinMs`,
 * or a client could hold that memory for as long as it likes. A streamed response holds little memory and may take
 * hours; it must be read at 1 KiB/s or faster.
 * @returns a function that starts to watch a response.
 */
export function cutSlowReaders(server: Server, { withinMs, checkMs }: Limits): (response: ServerResponse) => void {
  /**
   * Open responses, with the start of the current window and the bytes taken by then; null until the first check after
   * the headers were sent.
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
