/**
 * Headers that callers cannot set: those that the client sets itself, that change the framing or routing of the message
 * (RFC 9110 section 7.6.1), or that claim another sender.
 */
const reserved = new Set(
  (
    "host connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding " +
    "upgrade content-length expect accept-encoding content-encoding http2-settings date via forwarded"
  ).split(" "),
);

/**
 * Says in one sentence what is wrong with the headers of an outgoing request; null if nothing is. Names must be tokens,
 * values printable ASCII.
 */
export function outboundHeadersProblem(headers: Record<string, string>): string | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return `"${name}" is not a header name.`;
    if (reserved.has(name.toLowerCase())) return `The header ${name} cannot be set.`;
    if (!/^[\t\x20-\x7e]*$/.test(value))
      return `The value of the header ${name} has characters other than printable ASCII.`;
  }
  return null;
}
