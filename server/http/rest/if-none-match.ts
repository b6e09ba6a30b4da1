/** Tells whether the header If-None-Match names this ETag. Compares weakly (RFC 9110 section 13.1.2). */
export function namesTag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const opaque = etag.replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((each) => each.trim().replace(/^W\//, "") === opaque);
}
