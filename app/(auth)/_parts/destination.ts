/**
 * Where to go after signing in: the page of this console that the reader came from, never another site. Read by the
 * browser's own rules, which drop tabs and take a backslash for a slash.
 */
export function destination(next: string | null, origin = window.location.origin): string {
  const url = next ? URL.parse(next, origin) : null;
  if (url?.origin !== origin || !next?.startsWith("/")) return "/";
  // "/.//evil.example" is ours, with the path "//evil.example": gone to as it stands, it would be another site.
  return url.pathname.startsWith("//") ? "/" : url.pathname + url.search + url.hash;
}
