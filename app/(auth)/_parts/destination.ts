/**
 * Returns the page to open after signing in: the page of this console that the reader came from, never another site.
 * Parses like a browser, which drops tabs and reads a backslash as a slash.
 */
export function destination(next: string | null, origin = window.location.origin): string {
  const url = next ? URL.parse(next, origin) : null;
  if (url?.origin !== origin || !next?.startsWith("/")) return "/";
  // The path of "/.//evil.example" is "//evil.example". Opened as it stands, that path would lead to another site.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search + url.hash;
}
