import { once } from "node:events";
import { Agent, request } from "node:http";
import type { AddressInfo } from "node:net";
import { sequenceBatch } from "@/server/consumers";
import { createDispatcher } from "@/server/http/web/dispatch";
import { frontDoor } from "@/server/http/web/front-door";
import { apiListener } from "@/server/http/web/listener";
import type { Sent, Transport } from "./lane";

const dispatch = createDispatcher();

/** Passes a request to the routes, without a socket. */
export const inProcess: Transport = async ({ method, target, headers, body }) => {
  const answer = await dispatch(
    new Request(`http://localhost${target}`, {
      method,
      headers: [...headers, ...lengthOf(body)],
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
    }),
  );
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const lengthOf = (body: Sent["body"]): [string, string][] =>
  body === undefined ? [] : [["content-length", String(Buffer.byteLength(body))]];

/**
 * Starts a server on a free port, as `npm start` does but without pages. Numbers events before they are listed, because
 * no engine does that here.
 */
export async function overHttp(): Promise<{ url: string; transport: Transport; close(): Promise<void> }> {
  const pages = async (_: unknown, response: { end(text: string): void }) => void response.end("page");
  const listener = apiListener();
  const api: typeof listener = async (request, response) => {
    if (request.url?.startsWith("/v1/events")) await sequenceBatch();
    return listener(request, response);
  };
  const server = frontDoor({ api, pages }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const transport: Transport = ({ method, target, headers, body }: Sent) =>
    new Promise((resolve, reject) => {
      const sent = request(
        { port, agent, method, path: target, headers: Object.fromEntries([...headers, ...lengthOf(body)]) },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
          answer.on("end", () =>
            resolve({
              status: answer.statusCode!,
              headers: new Headers(
                Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
                  values.map((value): [string, string] => [name, value]),
                ),
              ),
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sent.on("error", reject).end(body);
    });
  return {
    url: `http://127.0.0.1:${port}`,
    transport,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
