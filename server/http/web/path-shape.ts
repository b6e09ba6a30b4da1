import { isApiPath } from "./dispatch";

/** What logs tell of an address: where it leads, without codes, ids, queries or whatever a visitor typed. */
export function pathShape(url: string): string {
  const path = url.split("?")[0]!;
  const parts = isApiPath(path) || path.startsWith("/api/") ? 3 : 2;
  return path.split("/").slice(0, parts).join("/");
}
