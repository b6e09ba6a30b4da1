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
  /** What is served, by path. By default with status 200, as application/json. */
  pages: Map<string, { status?: number; type?: string; body: string | Uint8Array }>;
  /** The paths that were requested. */
  asked: string[];
  surroundings(now?: Date): Surroundings;
  close(): Promise<void>;
}

const host = "university.example";

/** Starts a web server for https through a real guarded client, which trusts its authority and resolves its name. */
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

/** Surroundings without a network: every request fails. */
export const offline = (now = new Date()): Surroundings => ({
  now,
  request: ({ url }) => Promise.reject(new Error(`Nothing may be fetched here, but ${url} was.`)),
});
