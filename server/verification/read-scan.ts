import { readCode } from "@/server/credentials/code";
import { codeAt } from "./code-at";

/** The kinds of text that somebody can type, paste or scan. */
export type Scan =
  /** `statement`: what follows the # of a link, which a signed QR code has. */
  | { kind: "code"; code: string; statement?: string }
  /** A link to somewhere else. */
  | { kind: "foreign"; host: string }
  /** A credential itself: JSON, or a signed token such as a badge. */
  | { kind: "document"; text: string }
  | { kind: "unreadable" };

/** The longest code that the API accepts. */
const longest = 2000;

/**
 * Reads the public code from a code or from a link to a credential of this service: /c/{code}, /verify?code= or one of
 * its files, in any case, since QR codes hold links in capitals. Runs in the browser as well.
 * @param ownHosts the hosts, with their ports, under which this service is reached.
 */
export function readScan(text: string, ownHosts: string[]): Scan {
  if (isDocument(text)) return { kind: "document", text };
  if (text.length > longest) return { kind: "unreadable" };
  const typed = text
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .trim();
  const url = typed.includes("/") ? linkOf(linkWithin(typed)) : undefined;
  if (url && !ownHosts.some((host) => host.toLowerCase() === url.host)) return { kind: "foreign", host: url.host };
  const code = url ? codeAt(url) : readCode(typed);
  const [statement] = /(?<=^#)[a-z2-7]{100,}$/i.exec(url?.hash ?? "") ?? [];
  return code ? { kind: "code", code, ...(statement && { statement }) } : { kind: "unreadable" };
}

/** Whether a text begins as an object of JSON does, or as a JWT, whose header is such an object in base64. */
const isDocument = (text: string): boolean => /^\s*(?:\{\s*"|eyJ[\w\s-]+\.\s*[\w-])/.test(text.slice(0, 16_384));

/** Finds the link in a sentence such as "See https://…/c/CODE."; returns the whole text unless it holds exactly one. */
function linkWithin(typed: string): string {
  const links = typed.match(/https?:\/\/[^\s"'“”„‘’‚«»‹›<>]+/giu) ?? [];
  const link = links.length === 1 ? links[0]! : typed;
  return link.replace(/^["'“”„‘’‚«»‹›(<[]+/u, "").replace(/["'“”„‘’‚«»‹›)>\].,;:!]+$/u, "");
}

function linkOf(typed: string): URL | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  return url && /^https?:$/.test(url.protocol) && url.host !== "" ? url : undefined;
}
