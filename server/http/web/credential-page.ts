import { formatCode, readCode } from "@/server/credentials/code";
import { codeExists } from "@/server/verification/find-by-code";

/** What to do with a request for a page. */
export type PageAnswer = { kind: "render"; url: string; status?: 404 } | { kind: "redirect"; location: string };

/** The static page app/c/unknown. It is fixed, whatever was asked for: every unknown code gets the same answer. */
const unknownCodePage = "/c/unknown";

/** QR codes hold the address in capitals, which their alphanumeric mode needs. */
const credentialPath = /^\/c\/([^/?]+)\/?(\?.*)?$/i;

/** True for the page of a credential, /c/{code}, however the code is written. */
export const isCredentialPage = (url: string) => credentialPath.test(url);

/**
 * Finds out what /c/{code} leads to, before Next sees the request: the one address of a credential is rendered, another
 * spelling is sent there, and an unknown code gets 404. Next itself cannot: it sends the 404 of a page as an empty
 * document that scripts fill, and it sends a rewrite of proxy.ts to itself over HTTP where HOST is not a name it
 * expects (docs/decisions/175-codes-before-next.md).
 */
export async function findCredentialPage(url: string): Promise<PageAnswer> {
  const [, typed = "", query = ""] = credentialPath.exec(url) ?? [];
  const code = readCode(decoded(typed));
  // What cannot be a code is looked up too, so that every miss takes the same time.
  if (!(await codeExists(code ?? "")) || code === null) return { kind: "render", url: unknownCodePage, status: 404 };
  const address = `/c/${formatCode(code)}`;
  return url === address + query ? { kind: "render", url } : { kind: "redirect", location: address + query };
}

function decoded(typed: string): string {
  try {
    return decodeURIComponent(typed);
  } catch {
    return "";
  }
}
