import { once } from "node:events";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import type { PushService } from "../push-service";
import type { AppleAuthority } from "./authority";

/** A message that the push service accepted for a phone. */
export interface ReceivedPush {
  token: string;
  topic: string;
  body: string;
  /** The pass type in the certificate of the sender. */
  sender: string;
}

/** A stand-in for Apple's push service on loopback: HTTP/2 only, and mutual TLS with client certificates of its authority. */
export class PushServer {
  readonly received: ReceivedPush[] = [];
  /** The status and reason of an answer, by the phone's token. */
  answer: (token: string) => [status: number, reason?: string] = () => [200];
  /** If set, each answer waits for this. */
  hold: (() => Promise<void>) | undefined;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(private readonly server: Http2SecureServer) {}

  static async start(authority: AppleAuthority): Promise<{ server: PushServer; service: PushService }> {
    const { certificate, privateKey } = await authority.server();
    const http = createSecureServer({
      cert: certificate,
      key: privateKey,
      ca: authority.wwdr,
      requestCert: true,
      rejectUnauthorized: true,
      allowHTTP1: false,
    });
    const server = new PushServer(http);
    http.on("session", (session) => {
      server.#sessions.add(session);
      session.on("close", () => server.#sessions.delete(session));
    });
    http.on("stream", (stream, headers) => {
      let body = "";
      stream.on("error", () => undefined);
      stream.setEncoding("utf8");
      stream.on("data", (chunk: string) => (body += chunk));
      stream.on("end", () => {
        void (async () => {
          await server.hold?.();
          if (stream.destroyed) return;
          const token = /^\/3\/device\/(\w+)$/.exec(headers[":path"] ?? "")?.[1] ?? "";
          const { UID } = (stream.session!.socket as TLSSocket).getPeerCertificate().subject as unknown as {
            UID: string;
          };
          const topic = String(headers["apns-topic"]);
          const [status, reason] =
            headers[":method"] === "POST" && topic === UID ? server.answer(token) : [400, "TopicDisallowed"];
          if (status === 200) server.received.push({ token, topic, body, sender: UID });
          stream.respond({ ":status": status });
          stream.end(reason ? JSON.stringify({ reason }) : "");
        })();
      });
    });
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const { port } = http.address() as AddressInfo;
    return { server, service: { url: `https://localhost:${port}`, ca: authority.wwdr } };
  }

  async close(): Promise<void> {
    const closed = once(this.server, "close");
    this.server.close();
    for (const session of this.#sessions) session.destroy();
    await closed;
  }
}
