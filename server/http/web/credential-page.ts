import { formatCode, readCode } from "@/server/credentials/code";
import { codeExists } from "@/server/verification/find-by-code";

/** What to do with a request for a page. */
export type PageAnswer = { kind: "render"; url: string; status?: 404 } | { kind: "redirect"; location: string };

/** The static page app/c/unknown. Its content is fixed, so that every unknown code gets the same response. */
const unknownCodePage = "/c/unknown";

/** QR codes hold the address in capitals, because QR's alphanumeric mode has no lower case. */
const credentialPath = /^\/c\/([^/?]+)\/?(\?.*)?$/i;

/** Whether the URL is the page of a credential, /c/{code}, in any spelling of the code. */
export const isCredentialPage = (url: string) => credentialPath.test(url);

/**
 * Decides what /c/{code} leads to before Next sees the request: the canonical address of a credential is rendered,
 * another spelling is redirected to it, and an unknown code gets 404. Next cannot do this: it sends a page's 404 as an
 * empty document that scripts fill, and it proxies a rewrite of proxy.ts to itself over HTTP if HOST is not a name that
 * it expects (docs/decisions/175-codes-before-next.md).
 */
export async function findCredentialPage(url: string): Promise<PageAnswer> {
  const [, typed = "", query = ""] = credentialPath.exec(url) ?? [];
  const code = readCode(decoded(typed));
  // Look up even what cannot be a code, so that every miss takes the same time.
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
