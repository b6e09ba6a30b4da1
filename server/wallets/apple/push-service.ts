import { readFileSync } from "node:fs";
import { connect, constants, type ClientHttp2Session } from "node:http2";
import { withTimeout } from "@/server/core/within";
import { env, type Env } from "@/server/core/env";
import type { PassIdentity } from "./settings";

/** Apple's push service, or its stand-in in tests. */
export interface PushService {
  url: string;
  /** Certificate authorities instead of Node's own, as PEM. */
  ca?: string;
}

/** Reads the address of the push service from the configuration. */
export function pushService(
  { APPLE_PUSH_URL: url, APPLE_PUSH_CA: ca }: Pick<Env, "APPLE_PUSH_URL" | "APPLE_PUSH_CA"> = env(),
): PushService {
  return { url, ...(ca !== undefined && { ca: readFileSync(ca, "utf8") }) };
}

/**
 * The result of a message: accepted (`sent`); the phone no longer has the pass (`gone`); the token will never work
 * (`refused`); or the message must be retried (`retry`). `refused` and `retry` hold the reason as a sentence for admins.
 */
export type PushResult = "sent" | "gone" | { refused: string } | { retry: string };

/** The timeout of the connection and of each answer, in milliseconds. */
const timeoutMs = 15_000;

/** A connection to the push service with the certificate of one organisation (HTTP/2, mutual TLS). */
export class PushConnection {
  readonly #session: ClientHttp2Session;
  readonly #closed: Promise<unknown>;
  #failure: string | undefined;

  constructor(
    { url, ca }: PushService,
    private readonly identity: PassIdentity,
  ) {
    const { certificate, privateKey, wwdr } = identity;
    this.#session = connect(url, { cert: `${certificate}\n${wwdr}`, key: privateKey, ...(ca !== undefined && { ca }) });
    this.#session.on("error", (error) => (this.#failure ??= words(error)));
    this.#closed = new Promise((resolve) => this.#session.once("close", resolve));
    this.#session.setTimeout(timeoutMs, () => this.#session.destroy(new Error("timeout")));
  }

  /** Whether further messages can be sent. */
  get isUsable(): boolean {
    return !this.#session.destroyed && !this.#session.closed;
  }

  /** Tells a phone that a pass changed. The message is empty; the phone then asks this service what changed. */
  push(token: string): Promise<PushResult> {
    return new Promise((resolve) => {
      // The session's error, which says why the connection ended, may come after the stream's. So wait for the close.
      const retry = () =>
        void withTimeout(1000, this.#closed).then(() =>
          resolve({ retry: this.#failure ?? "Apple's push service closed the connection." }),
        );
      if (!this.isUsable) return retry();
      const stream = this.#session.request({
        [constants.HTTP2_HEADER_METHOD]: "POST",
        [constants.HTTP2_HEADER_PATH]: `/3/device/${token}`,
        "apns-topic": this.identity.passTypeId,
      });
      let status = 0;
      let body = "";
      stream.setEncoding("utf8");
      stream.setTimeout(timeoutMs, () => stream.close(constants.NGHTTP2_CANCEL));
      stream.on("response", (headers) => (status = Number(headers[constants.HTTP2_HEADER_STATUS])));
      stream.on("data", (chunk: string) => (body = (body + chunk).slice(0, 1000)));
      stream.on("error", (error) => (this.#failure ??= words(error)));
      stream.on("close", () => (status === 0 ? retry() : resolve(resultOf(status, reasonOf(body)))));
      stream.end("{}");
    });
  }

  /** Closes the connection once all pending answers have arrived. */
  close(): void {
    this.#session.close();
  }
}

/** Reasons of a 400 answer that no retry can resolve. */
const bad = new Set(["BadDeviceToken", "DeviceTokenNotForTopic"]);

function resultOf(status: number, reason: string): PushResult {
  if (status === 200) return "sent";
  if (status === 410) return "gone";
  if (bad.has(reason)) return { refused: `Apple's push service does not know this phone (${reason}).` };
  return { retry: `Apple's push service answered ${status}${reason && ` (${reason})`}.` };
}

function reasonOf(body: string): string {
  try {
    const { reason } = JSON.parse(body) as { reason?: unknown };
    return typeof reason === "string" && /^\w{1,60}$/.test(reason) ? reason : "";
  } catch {
    return "";
  }
}

const words = (error: Error) => {
  const { code = "" } = error as { code?: string };
  if (/^ERR_SSL|ALERT|CERT|TLS/i.test(code) || /alert/i.test(error.message))
    return "Apple's push service refused the connection because it does not accept the certificate.";
  return `Apple's push service could not be reached${/^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : ""}.`;
};
