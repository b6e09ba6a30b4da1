import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { log } from "@/server/core/log";
import { problemAnswer } from "@/server/http/rest/problem";

/** Errors for what Node's parser cannot read; any other code is malformed_request. */
const known: Record<string, () => DomainError> = {
  HPE_HEADER_OVERFLOW: () =>
    new DomainError(
      "header_fields_too_large",
      "The request line and header fields together may have at most 16 KiB. Send less of them, for example by a shorter query.",
    ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => new DomainError("malformed_request", "The extensions of a chunk are too long."),
  ERR_HTTP_REQUEST_TIMEOUT: () =>
    new DomainError(
      "request_timeout",
      "The request did not arrive in time. Send it again, faster or in smaller pieces.",
    ),
  HPE_INVALID_URL: () =>
    new DomainError(
      "malformed_request",
      "The address holds a character that must be percent-encoded, for example é as %C3%A9.",
    ),
  HPE_INVALID_METHOD: () => new DomainError("malformed_request", "The request does not begin with a method of HTTP."),
};

const refused = new WeakSet<Duplex>();

/**
 * `_httpMessage` is the response in progress. Once its headers are sent, a second answer would be read as part of it.
 */
interface Connection extends Duplex {
  _httpMessage?: { headersSent: boolean } | null;
}

/** Answers what Node's parser could not read with a problem document (400, 408, 431), and closes the connection. */
export function refuseUnreadable(cause: NodeJS.ErrnoException, connection: Connection): void {
  if (refused.has(connection)) return;
  refused.add(connection);
  if (
    !connection.writable ||
    connection._httpMessage?.headersSent ||
    cause.code === "ECONNRESET" ||
    cause.code === "EPIPE"
  ) {
    connection.destroy();
    return;
  }
  answerAndClose(
    connection,
    known[cause.code ?? ""]?.() ??
      new DomainError(
        "malformed_request",
        `The request is not valid HTTP/1.1: ${cause.message.replace(/^Parse Error: /, "")}.`,
      ),
    { code: cause.code },
  );
}

/** Answers CONNECT, which asks a proxy for a tunnel, with 405. Node provides no response object for it. */
export function refuseConnect(connection: Duplex): void {
  connection.on("error", () => connection.destroy());
  const allow = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  answerAndClose(
    connection,
    new DomainError(
      "method_not_allowed",
      "CONNECT asks a proxy for a tunnel, and this service is no proxy. Ask it without one: leave its address out of the proxy settings.",
      { headers: { allow } },
    ),
    { method: "CONNECT" },
  );
}

/** Writes a problem document to a connection that has no response object, and closes it. */
function answerAndClose(connection: Duplex, error: DomainError, logged: Record<string, unknown>): void {
  const requestId = newPublicId("req");
  const { status, headers, body } = problemAnswer(error, requestId);
  log().info({ status, requestId, ...logged }, "unreadable request");
  const fields = Object.entries({
    ...headers,
    date: new Date().toUTCString(),
    connection: "close",
    "content-length": Buffer.byteLength(body),
  });
  connection.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
  setTimeout(() => connection.destroy(), 1_000).unref();
}
