import { once } from "node:events";
import { type RequestListener, createServer as createHttpServer } from "node:http";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";

export interface Listener {
  port: number;
  /** Every connection accepted so far, also the closed ones. */
  connections: Socket[];
  close(): Promise<void>;
}

/** Starts a server on a loopback port (or all addresses, for 127.0.0.2 and its like). `close` cuts what is open. */
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

/** Answers on the bare socket, once a request's first bytes came. */
export function listenRaw(onRequest: (socket: Socket) => void): Promise<Listener> {
  return listen(createServer((socket) => socket.once("data", () => onRequest(socket))));
}
