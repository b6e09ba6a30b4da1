/** QR codes hold the address in capitals, because QR's alphanumeric mode has no lower case. */
const credentialPath = /^\/c\/([^/?]+)\/?(\?.*)?$/i;
const canonicalPath = /^\/c\/[^/?]+(?:\?|$)/;
const verifyPath = /^\/verify(?:\?|$)/;
const formPaths = /^\/(?:claim\/[^/?]+|confirm\/[^/?]+|home(?:\/enter)?)(?:\?|$)/;

/** Whether the URL is the page of a credential, /c/{code}, in any spelling of the code. */
export const isCredentialPage = (url: string): boolean => credentialPath.test(url);

/** Whether our server serves the URL's page without Next (app/c, app/verify, app/claim, app/confirm, app/home). */
export const isPublicPage = (url: string): boolean =>
  canonicalPath.test(url) || verifyPath.test(url) || formPaths.test(url);

/**
 * Converts the URL of a credential's page to the form that the router finds. Another spelling loses the hyphens of its
 * code, and the page then redirects to the canonical address, which has them.
 */
export function toCanonicalForm(url: string): string {
  if (canonicalPath.test(url)) return url;
  const [, code = "", query = ""] = credentialPath.exec(url) ?? [];
  return `/c/${code.replaceAll("-", "")}${query}`;
}
