/**
 * First segments of the paths that are answered here without Next; no page has one of them. The viewer and the font of
 * the API reference are served here too, because Next would compress them anew for each request.
 */
export const apiSegments = [
  "v1",
  "public",
  "scim",
  "oauth",
  "wallet",
  ".well-known",
  "healthz",
  "readyz",
  "metrics",
  "assets",
];
const apiPath = new RegExp(
  `^/(?:${apiSegments.map((s) => s.replace(".", "\\.")).join("|")})(?:[/?]|$)|^/(?:docs/(?:reference\\.js|inter\\.woff2)|offline\\.js|c/[^/?]+/app\\.webmanifest)(?:\\?|$)`,
);

/**
 * Paths of a caller who means the API but misses it: its paths in capitals, another version, the document in another
 * format. Answered with 404 as JSON.
 */
const nearlyApiPath =
  /^\/(?:v\d+(?:[/?]|$)|(?:public|scim|oauth|wallet|healthz|readyz|metrics)(?:[/?]|$)|openapi(?!\.json(?:\?|$))[./?]?)/i;

export function isApiPath(url: string): boolean {
  return apiPath.test(url) || nearlyApiPath.test(url);
}
