import { createServer } from "node:https";
import { createOutbound } from "@/server/outbound/outbound";
import { createAuthority, createCertificate } from "@/server/outbound/testing/certificates";
import { listen } from "@/server/outbound/testing/listener";
import type { Surroundings } from "../surroundings";

export interface TestWeb {
  /** The origin of the host, with its port. */
  origin: string;
  /** The did:web of the host, with a path such as ":issuers:ada". */
  did(path?: string): string;
  /** What is served, by path. A text as JSON; anything else as given. */
  pages: Map<string, { status?: number; type?: string; body: string | Uint8Array }>;
  /** The paths that were asked for. */
  asked: string[];
  surroundings(now?: Date): Surroundings;
  close(): Promise<void>;
}

const host = "university.example";

/**
 * A web server that is reached over https through a real guarded client, which trusts its authority and finds its name.
 */
export async function startWeb(): Promise<TestWeb> {
  const authority = createAuthority("Test Authority");
  const pages: TestWeb["pages"] = new Map();
  const asked: string[] = [];
  const server = createServer(createCertificate({ names: [host] }, authority), (request, response) => {
    asked.push(request.url!);
    const { status = 200, type = "application/json", body } = pages.get(request.url!) ?? { status: 404, body: "" };
    response.writeHead(status, { "content-type": type }).end(body);
  });
  const listener = await listen(server);
  const outbound = createOutbound({
    resolve: async () => ["127.0.0.1"],
    allowCidrs: ["127.0.0.0/8"],
    allowHttp: false,
    ca: authority.cert,
  });
  return {
    origin: `https://${host}:${listener.port}`,
    did: (path = "") => `did:web:${host}%3A${listener.port}${path}`,
    pages,
    asked,
    surroundings: (now = new Date()) => ({ now, request: (request) => outbound.request(request) }),
    close: async () => {
      await outbound.close();
      await listener.close();
    },
  };
}

/** Surroundings in which nothing may be asked of the network. */
export const offline = (now = new Date()): Surroundings => ({
  now,
  request: ({ url }) => Promise.reject(new Error(`Nothing may be fetched here, but ${url} was.`)),
});
