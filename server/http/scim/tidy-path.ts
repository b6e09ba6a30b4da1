/**
 * Removes empty segments from the path of a SCIM request: a directory whose base URL ends with a slash requests
 * /scim/v2//Users or /scim/v2/Users/. Other paths stay unchanged.
 */
export const tidyPath = (path: string): string =>
  /^\/scim\/+v2\//.test(path) ? path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "") : path;
