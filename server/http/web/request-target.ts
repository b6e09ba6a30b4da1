import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { newPublicId } from "@/server/core/ids";
import { securityHeaders } from "@/server/http/rest/respond";

/**
 * Reads the target of the request line (RFC 9112 section 3.2) and leaves `request.url` in origin form, as a path.
 * Answers `OPTIONS *` itself.
 * @throws DomainError `malformed_request` for another form, or if there is not exactly one Host header (HTTP/1.0 may
 * have none); `misdirected_request` for a host that is not ours.
 */
export function readTarget(request: IncomingMessage, response: ServerResponse): "answered" | "path" {
  const target = request.url ?? "";
  const hosts = request.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === "host").length;
  // RFC 9112 section 3.2: with several Host headers, a proxy in front may have read a different one.
  if (hosts > 1) throw new DomainError("malformed_request", "The request has more than one Host header.");
  if (request.headers.host === undefined) {
    if (request.httpVersion !== "1.0") throw new DomainError("malformed_request", "The request has no Host header.");
    request.headers.host = new URL(env().PUBLIC_URL).host;
  }
  if (/[^\x21-\x7e]/.test(target))
    throw new DomainError(
      "malformed_request",
      "The address holds a character that must be percent-encoded, for example é as %C3%A9.",
    );
  if (target.startsWith("/")) return "path";
  if (target === "*" && request.method === "OPTIONS") {
    response
      .writeHead(204, {
        allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
        "request-id": newPublicId("req"),
        ...securityHeaders(),
      })
      .end();
    return "answered";
  }
  const url = /^https?:\/\//i.test(target) && URL.parse(target);
  if (!url) throw new DomainError("malformed_request", "The request line must hold a path that begins with a slash.");
  if (!isOurs(url.host, request)) {
    throw new DomainError(
      "misdirected_request",
      `The request line names the host ${url.host}, which this server does not serve. Ask it for a path, or for ${new URL(env().PUBLIC_URL).host}.`,
    );
  }
  // The host of the request line takes precedence over the header (RFC 9112 section 3.2.2).
  request.headers.host = url.host;
  request.url = url.pathname + url.search;
  return "path";
}

function isOurs(host: string, { socket }: IncomingMessage): boolean {
  const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, "") ?? "";
  const names = ["localhost", address.includes(":") ? `[${address}]` : address];
  return [new URL(env().PUBLIC_URL).host, ...names.map((name) => `${name}:${socket.localPort}`)].includes(host);
}
