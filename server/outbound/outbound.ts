import type { Socket } from "node:net";
import { type SecureContext, createSecureContext } from "node:tls";
import { type Cidr, parseCidrs } from "./address-policy";
import { Connection } from "./connection";
import { Deadline } from "./deadline";
import { dial, dialHost } from "./dial";
import { type OutboundResponse, exchange } from "./exchange";
import { type OutboundErrorClass, OutboundFailure } from "./failure";
import { outboundHeadersProblem } from "./headers";
import { ConnectionPool, type PoolLimits } from "./pool";
import type { Resolve } from "./resolve";
import { hostOf, isBadPort, urlProblem } from "./url-policy";

export interface OutboundRequest {
  url: string;
  method?: "GET" | "POST" | "PATCH" | "PUT" | "HEAD";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  maxResponseBytes: number;
  /** Requests of different lanes have separate connections, even to one origin, so they never wait for each other. */
  lane?: string;
  /** For DNS, TCP and TLS together. Default 5,000. */
  connectTimeoutMs?: number;
  /** From the call to the last byte of the answer that is read. Default 15,000. */
  totalTimeoutMs?: number;
  signal?: AbortSignal;
  /**
   * Receives the body of a 2xx answer piece by piece, instead of `body`; maxResponseBytes then limits only other
   * answers. The next piece waits for it. Its errors reject the request.
   */
  sink?: (chunk: Uint8Array, headers: Record<string, string>) => Promise<void>;
}

export interface OutboundResult {
  /** Whether the answer arrived completely (up to `maxResponseBytes`) with a 2xx. */
  ok: boolean;
  /** Also set if the answer broke off after its headers. Null without an answer. */
  status: number | null;
  /** Names in lower case; repeated headers joined with a comma. */
  headers: Record<string, string>;
  /** As sent, not decompressed. At most `maxResponseBytes`. */
  body: Uint8Array;
  truncated: boolean;
  /** The address that was connected to, or the last one tried. */
  address: string | null;
  durationMs: number;
  errorClass: OutboundErrorClass | null;
  /** One sentence for people. */
  errorDetail: string | null;
}

export interface OutboundOptions {
  resolve: Resolve;
  /** Ranges that may be reached although they are private or special. */
  allowCidrs: readonly string[];
  allowHttp: boolean;
  /** Certificate authorities instead of Node's own, as PEM. */
  ca?: string;
  limits?: Partial<PoolLimits>;
}

export interface Outbound {
  /**
   * Sends a request. Resolves with `ok: false` for any failure of the network or the peer; rejects only with the
   * signal's reason, what its sink throws, or with a TypeError for headers that cannot be sent.
   */
  request(request: OutboundRequest): Promise<OutboundResult>;
  /** Says in one sentence what is wrong with a URL; null if nothing is. Names are not resolved, so not judged. */
  urlProblem(url: string): string | null;
  /**
   * Opens a connection for another protocol than HTTP, to a host that checkHost() takes. @throws OutboundFailure, or the
   * signal's reason
   */
  connect(to: { host: string; port: number }, signal: AbortSignal): Promise<Socket>;
  /** Says in one sentence what is wrong with a host and a port; null if nothing is. Names are not resolved, so not judged. */
  hostProblem(to: { host: string; port: number }): string | null;
  /** Closes the client: waits for the requests in flight and refuses new ones. */
  close(): Promise<void>;
}

const defaultLimits: PoolLimits = { perOrigin: 128, idle: 512, ageMs: 60_000 };
const nothing = { status: null, headers: {}, body: new Uint8Array(), truncated: false, address: null };

/** Creates a guarded client (contract section 10): an address policy, and the pool of connections that obey it. */
export function createOutbound(options: OutboundOptions): Outbound {
  const policy = { cidrs: parseCidrs(options.allowCidrs), allowHttp: options.allowHttp };
  const pool = new ConnectionPool({ ...defaultLimits, ...options.limits });
  let secureContext: SecureContext | undefined;

  const open =
    (url: URL, connectTimeoutMs = 5_000) =>
    () =>
      new Connection(
        url,
        (target, signal, tried) =>
          dial(
            target,
            { ...options, ...policy, secureContext: (secureContext ??= createSecureContext({ ca: options.ca })) },
            signal,
            tried,
          ),
        connectTimeoutMs,
      );

  const send = async (request: OutboundRequest, url: URL, deadline: Deadline): Promise<OutboundResponse> => {
    const connection = await pool.acquire(
      url.origin,
      request.lane ?? "",
      open(url, request.connectTimeoutMs),
      deadline,
    );
    let reusable = false;
    try {
      const answer = await exchange(connection, message(request, url), request, deadline);
      reusable = !answer.failure && !answer.truncated;
      return answer;
    } finally {
      pool.release(connection, reusable);
    }
  };

  return {
    async request(request) {
      const startedAt = performance.now();
      request.signal?.throwIfAborted();
      const wrong = outboundHeadersProblem(request.headers ?? {});
      if (wrong) throw new TypeError(wrong);
      const url = URL.parse(request.url);
      const problem = url ? urlProblem(url, policy) : unreadable;
      if (!url || problem)
        return result(
          { ...nothing, failure: new OutboundFailure("blocked_address", problem ?? unreadable) },
          startedAt,
        );
      const deadline = new Deadline(request.totalTimeoutMs ?? 15_000, request.signal);
      try {
        return result(await send(request, url, deadline), startedAt);
      } catch (error) {
        // The deadline passed while the request waited for a connection.
        if (!(error instanceof OutboundFailure)) throw error;
        return result({ ...nothing, failure: error }, startedAt);
      } finally {
        deadline.clear();
      }
    },
    urlProblem(text) {
      const url = URL.parse(text);
      return url ? urlProblem(url, policy) : unreadable;
    },
    async connect(to, signal) {
      const problem = hostProblem(to, policy);
      if (problem) throw new OutboundFailure("blocked_address", problem);
      const limit = AbortSignal.timeout(5_000);
      try {
        const url = URL.parse(`https://${to.host}`)!;
        return (
          await dialHost(
            { ...to, host: hostOf(url) },
            { ...options, ...policy },
            AbortSignal.any([signal, limit]),
            () => undefined,
          )
        ).socket;
      } catch (error) {
        if (limit.aborted && !signal.aborted)
          throw new OutboundFailure("timeout", "There was no connection within 5 s.");
        throw error;
      }
    },
    hostProblem: (to) => hostProblem(to, policy),
    close: () => pool.close(),
  };
}

/** The URL parser normalises each spelling of an address, and the policy judges it as it judges that of a URL. */
function hostProblem({ host, port }: { host: string; port: number }, policy: { cidrs: readonly Cidr[] }) {
  const url = /^[\w.:[\]-]+$/.test(host) ? URL.parse(`https://${host}`) : null;
  if (!url || url.port !== "" || url.pathname !== "/") return "This is not a host name or an address.";
  if (isBadPort(port) && port !== 22) return `Port ${port} belongs to another protocol and is not called.`;
  return urlProblem(url, { ...policy, allowHttp: false })?.replace("URL points", "host leads") ?? null;
}

const unreadable = "This is not a URL that can be read.";

function message({ method = "GET", headers, body }: OutboundRequest, url: URL) {
  return {
    method,
    path: url.pathname + url.search,
    headers: { "user-agent": "Bonafide", ...lowerCased(headers), "accept-encoding": "identity" },
    body,
  };
}

function lowerCased(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function result({ failure, ...answer }: OutboundResponse, startedAt: number): OutboundResult {
  const refused = failure ?? statusFailure(answer.status);
  return {
    ...answer,
    ok: !refused,
    durationMs: Math.round(performance.now() - startedAt),
    errorClass: refused?.errorClass ?? null,
    errorDetail: refused?.message ?? null,
  };
}

function statusFailure(status: number | null): OutboundFailure | null {
  if (status !== null && status >= 200 && status < 300) return null;
  if (status !== null && status >= 300 && status < 400)
    return new OutboundFailure("redirect", `The server answered with a redirect (${status}), which is not followed.`);
  return new OutboundFailure("http", `The server answered with status ${status}.`);
}
