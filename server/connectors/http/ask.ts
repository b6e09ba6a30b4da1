import { setTimeout as wait } from "node:timers/promises";
import { outboundRequest, type OutboundRequest, type OutboundResult } from "@/server/outbound/request";
import { PullError } from "./pull-error";
import type { HttpSettings } from "./settings";

/** The most bytes of one page of JSON, which is parsed as a whole. */
const pageLimit = 8 * 1024 * 1024;
const pageTimeoutMs = 60_000;
const fileTimeoutMs = 10 * 60_000;
const attempts = 3;
/** If a server asks for a longer pause, the run ends; the schedule starts the next one. */
const longestPauseMs = 5 * 60_000;
const usualPauseMs = 500;

export interface Asking {
  settings: HttpSettings;
  secret: string | null;
  signal: AbortSignal;
  /** The timeout of one answer; shorter in tests. */
  timeoutMs?: number;
  /** Waits between attempts. Tests of a source replace it, because an administrator would not wait that long. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

const pauseFor = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal });

/**
 * Requests one page, with up to three attempts: the server may ask for a pause (429 and 503 with Retry-After), or the
 * connection may break.
 * @throws PullError, or the signal's reason
 */
export async function askPage(url: URL, asking: Asking): Promise<OutboundResult> {
  for (let attempt = 1; ; attempt++) {
    const answer = await outboundRequest({
      ...request(url, asking),
      maxResponseBytes: pageLimit,
      totalTimeoutMs: asking.timeoutMs ?? pageTimeoutMs,
    });
    if (answer.truncated)
      throw new PullError(
        "page_too_large",
        `A page of the answer has more than ${pageLimit / 1024 / 1024} MiB. Ask the server for smaller pages, in the address.`,
      );
    if (answer.ok) return answer;
    const pause = attempt < attempts ? pauseOf(answer) : null;
    if (pause === null) throw refusal(answer);
    await (asking.pause ?? pauseFor)(pause, asking.signal);
  }
}

/**
 * Requests a file and streams its bytes to `sink`.
 * @throws PullError, or the signal's reason
 */
export async function askFile(
  url: URL,
  asking: Asking,
  sink: NonNullable<OutboundRequest["sink"]>,
): Promise<OutboundResult> {
  const answer = await outboundRequest({
    ...request(url, asking),
    maxResponseBytes: pageLimit,
    totalTimeoutMs: asking.timeoutMs ?? fileTimeoutMs,
    sink,
  });
  if (!answer.ok) throw refusal(answer);
  return answer;
}

function request(
  url: URL,
  { settings, secret, signal }: Asking,
): Pick<OutboundRequest, "url" | "headers" | "signal" | "lane"> {
  const accept = settings.format === "json" ? "application/json" : "text/csv";
  return { url: url.href, headers: { accept, ...credentials(settings.auth, secret) }, signal, lane: "connectors" };
}

function credentials(auth: HttpSettings["auth"], secret: string | null): Record<string, string> {
  if (auth.type === "none" || secret === null) return {};
  if (auth.type === "bearer") return { authorization: `Bearer ${secret}` };
  if (auth.type === "header") return { [auth.name]: secret };
  return { authorization: `Basic ${Buffer.from(`${auth.username}:${secret}`).toString("base64")}` };
}

/** How long to wait before the next attempt; null if a retry would not help. */
function pauseOf({ status, headers, errorClass }: OutboundResult): number | null {
  if (errorClass === "connect" || errorClass === "timeout") return usualPauseMs;
  if (status !== 429 && (status === null || status < 500)) return null;
  const after = headers["retry-after"];
  if (after === undefined) return usualPauseMs;
  const ms = /^\d{1,6}$/.test(after.trim()) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return Number.isNaN(ms) ? usualPauseMs : ms > longestPauseMs ? null : Math.max(0, ms);
}

function refusal({ status, errorClass, errorDetail }: OutboundResult): PullError {
  if (status === 401 || status === 403)
    return new PullError(
      "unauthorized",
      `The server refused the credentials (${status}). Enter the connector's secret again, and check that it is allowed to read the list.`,
    );
  if (status === 429)
    return new PullError(
      "rate_limited",
      "The server asks for a longer pause between requests (429). Run the connector less often, or request larger pages.",
    );
  if (status === 404)
    return new PullError(
      "not_found",
      "The server has nothing at this address (404). Check the address of the connector.",
    );
  if (errorClass === "timeout")
    return new PullError("timeout", `The server took too long. ${errorDetail} Nobody was changed.`);
  if (errorClass === "connect" && status !== null)
    return new PullError("cut_off", "The answer was cut off. Nobody was changed.");
  return new PullError("unreachable", `${errorDetail} Nobody was changed.`);
}
