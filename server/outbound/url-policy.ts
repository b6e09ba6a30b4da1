import { isIP } from "node:net";
import { type Cidr, isAllowed } from "./address-policy";

export interface UrlPolicy {
  cidrs: readonly Cidr[];
  allowHttp: boolean;
}

/** The Fetch standard's bad ports: their services could take the text of an HTTP request for commands. */
const badPorts = new Set(
  (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 " +
    "137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 " +
    "1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
  ).split(" "),
);

/** Whether a port belongs to another protocol than HTTP. */
export const isBadPort = (port: number): boolean => badPorts.has(String(port));

/** The host of a URL as an address or a name, without brackets and trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, "");
}

/**
 * Says in one sentence what is wrong with a URL, without resolving its name; null if nothing is. The URL parser has
 * already normalised every spelling of an IPv4 address (decimal, octal, hexadecimal, short, percent-encoded,
 * full-width) to the dotted one, and refused zone ids.
 */
export function urlProblem(url: URL, policy: UrlPolicy): string | null {
  if (url.protocol !== "https:" && !(url.protocol === "http:" && policy.allowHttp))
    return `The URL must begin with https://${policy.allowHttp ? " or http://" : ""}.`;
  if (url.username || url.password) return "The URL must not hold a user name or password.";
  if (url.hash) return "The URL must not have a fragment (#…).";
  if (badPorts.has(url.port)) return `Port ${url.port} belongs to another protocol and is not called.`;
  const host = hostOf(url);
  if (!isIP(host) && !isName(host)) return "The URL's host is not a name that can exist.";
  const literals = isLoopbackName(host) ? ["127.0.0.1", "::1"] : isIP(host) ? [host] : null;
  if (literals && !literals.some((ip) => isAllowed(ip, policy.cidrs)))
    return "The URL points to a private or reserved address, which is not called.";
  return null;
}

/** Whether a name can be looked up: at most 253 characters, and 1 to 63 between two dots (RFC 1035, section 2.3.4). */
function isName(host: string): boolean {
  return host.length <= 253 && host.split(".").every((label) => label.length > 0 && label.length <= 63);
}

/** Whether a name is a loopback address without a query to a name server (RFC 6761 section 6.3). */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}
