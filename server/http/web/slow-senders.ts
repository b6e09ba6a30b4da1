import type { IncomingMessage, Server } from "node:http";

interface Limits {
  /**
   * How long a request may take to arrive, body included. For an upload, the length of the window in which its speed is
   * measured.
   */
  withinMs: number;
  checkMs: number;
  /** Whether the request's body is a file, which may take hours over a slow line. */
  isUpload(request: IncomingMessage): boolean;
}

/** Slowest speed at which a client may send a file: 10 MiB in 43 minutes. */
const uploadBytesPerSecond = 4 * 1024;

/**
 * Refuses requests that arrive too slowly with 408, as Node's requestTimeout would. That is one time for a whole
 * request of any size; here a file is limited by its speed instead.
 * @returns a function that starts to watch a request.
 */
export function cutSlowSenders(
  server: Server,
  { withinMs, checkMs, isUpload }: Limits,
): (request: IncomingMessage) => void {
  const arriving = new Map<IncomingMessage, { since: number; received: number }>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [request, { since, received }] of arriving) {
      const { socket } = request;
      if (request.complete || socket.destroyed) {
        arriving.delete(request);
        continue;
      }
      const elapsed = now - since;
      if (elapsed < withinMs) continue;
      if (isUpload(request) && socket.bytesRead - received >= (uploadBytesPerSecond * elapsed) / 1000) {
        arriving.set(request, { since: now, received: socket.bytesRead });
        continue;
      }
      arriving.delete(request);
      server.emit(
        "clientError",
        Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
        socket,
      );
    }
  }, checkMs);
  timer.unref();
  server.once("close", () => clearInterval(timer));
  return (request) => {
    const { "content-length": length, "transfer-encoding": coding } = request.headers;
    if (coding === undefined && (length === undefined || length === "0")) return;
    arriving.set(request, { since: performance.now(), received: request.socket.bytesRead });
  };
}
