/**
 * What the client decides itself, what would change how the message is framed or where it goes (RFC 9110 section
 * 7.6.1), or who is said to have sent it.
 */
const reserved = new Set(
  (
    "host connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding " +
    "upgrade content-length expect accept-encoding content-encoding http2-settings date via forwarded"
  ).split(" "),
);

/**
 * What is wrong with the headers of an outgoing request, in one sentence, or null. Names are tokens, values printable
 * ASCII.
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
