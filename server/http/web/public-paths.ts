/** QR codes hold the address in capitals, because QR's alphanumeric mode has no lower case. */
const credentialPath = /^\/c\/([^/?]+)\/?(\?.*)?$/i;
const canonicalPath = /^\/c\/[^/?]+(?:\?|$)/;
const verifyPath = /^\/verify(?:\?|$)/;
const formPaths = /^\/(?:claim\/[^/?]+|confirm\/[^/?]+|home(?:\/enter)?)(?:\?|$)/;

/** Whether the URL is the page of a credential, /c/{code}, in any spelling of the code. */
export const isCredentialPage = (url: string): boolean => credentialPath.test(url);

/** Whether the URL is a page that is served without Next, where there is a server of ours (app/c, app/verify, app/claim, app/confirm, app/home). */
export const isPublicPage = (url: string): boolean =>
  canonicalPath.test(url) || verifyPath.test(url) || formPaths.test(url);

/**
 * Spells the URL of a credential's page so that the page is found. Another spelling loses the hyphens of its code: then
 * the page sends the visitor on to the one address, which has them.
 */
export function toCanonicalForm(url: string): string {
  if (canonicalPath.test(url)) return url;
  const [, code = "", query = ""] = credentialPath.exec(url) ?? [];
  return `/c/${code.replaceAll("-", "")}${query}`;
}
