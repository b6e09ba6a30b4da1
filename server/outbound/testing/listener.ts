import { once } from "node:events";
import { type RequestListener, createServer as createHttpServer } from "node:http";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";

export interface Listener {
  port: number;
  /** Every connection accepted so far, including closed ones. */
  connections: Socket[];
  close(): Promise<void>;
}

/**
 * Starts a server on a free port of `host` (all addresses, to listen on 127.0.0.2 too). `close` ends open connections.
 */
export async function listen(server: Server, host = "127.0.0.1"): Promise<Listener> {
  const connections: Socket[] = [];
  server.on("connection", (socket: Socket) => {
    connections.push(socket);
    socket.on("error", () => {});
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    close: async () => {
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function listenHttp(handler: RequestListener, host?: string): Promise<Listener> {
  return listen(createHttpServer(handler), host);
}

/** Starts a TCP server that calls `onRequest` with the socket once the first bytes of a request arrived. */
export function listenRaw(onRequest: (socket: Socket) => void): Promise<Listener> {
  return listen(createServer((socket) => socket.once("data", () => onRequest(socket))));
}
