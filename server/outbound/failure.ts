/**
 * Why a request failed (contract section 10):
 * - `dns`: the name has no address, or no name server answered;
 * - `blocked_address`: refused by policy, in the URL, after DNS or on the connected socket; nothing was sent;
 * - `connect`: no connection, or it broke off before the answer was complete;
 * - `tls`: the handshake failed or the certificate is not trusted;
 * - `timeout`: no connection, or no complete answer, within the limits;
 * - `redirect`: an answer of 3xx, which is not followed;
 * - `http`: any other answer that is not 2xx, or that is not HTTP.
 */
export type OutboundErrorClass = "dns" | "blocked_address" | "connect" | "tls" | "timeout" | "redirect" | "http";

/** The message is one sentence for people. It never quotes the peer or the operating system. */
export class OutboundFailure extends Error {
  constructor(
    readonly errorClass: OutboundErrorClass,
    message: string,
    readonly address: string | null = null,
  ) {
    super(message);
  }
}

export const blockedFailure = () =>
  new OutboundFailure("blocked_address", "The name leads to a private or reserved address, which is not called.");

const certificateWords: Record<string, string> = {
  CERT_HAS_EXPIRED: "The server's certificate has expired.",
  CERT_NOT_YET_VALID: "The server's certificate is not valid yet.",
  CERT_REVOKED: "The server's certificate was revoked.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The server's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The server's certificate comes from an authority that is not trusted.",
  UNABLE_TO_GET_ISSUER_CERT: "The server's certificate chain is incomplete or not trusted.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The server's certificate chain is incomplete or not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The server's certificate chain is incomplete or not trusted.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for another name.",
};

const connectWords: Record<string, string> = {
  ECONNREFUSED: "The server refused the connection.",
  EHOSTUNREACH: "The server's network cannot be reached.",
  ENETUNREACH: "The server's network cannot be reached.",
  ETIMEDOUT: "The server did not answer the connection attempt.",
};

const notHttp = new Set(["HTTPParserError", "HeadersOverflowError"]);

export function tlsFailure(error: unknown, address: string): OutboundFailure {
  return new OutboundFailure("tls", certificateWords[codeOf(error)] ?? "The TLS handshake failed.", address);
}

export function connectFailure(error: unknown, address: string | null): OutboundFailure {
  return new OutboundFailure("connect", connectWords[codeOf(error)] ?? "The connection could not be made.", address);
}

/** Classifies an error on an open connection. */
export function exchangeFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof Error && notHttp.has(error.name))
    return new OutboundFailure("http", "The answer is not valid HTTP.");
  // A TLS 1.3 server can refuse a client after the handshake, with an alert instead of an answer.
  if (/^(ERR_SSL_|EPROTO$)/.test(codeOf(error))) return new OutboundFailure("tls", "The server ended the TLS session.");
  return new OutboundFailure("connect", "The connection broke off before the answer was complete.");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
