/**
 * The path of a SCIM request without empty segments: a directory whose base URL was entered with a slash at its end asks
 * for /scim/v2//Users or /scim/v2/Users/. Other paths stay as they are.
 */
export const tidyPath = (path: string): string =>
  /^\/scim\/+v2\//.test(path) ? path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "") : path;
