import { isApiPath } from "./api-path";

/** Returns what logs may say about a URL: its first segments, without codes, ids, queries or what a visitor typed. */
export function pathShape(url: string): string {
  const path = url.split("?")[0]!;
  const parts = isApiPath(path) || path.startsWith("/api/") ? 3 : 2;
  return path.split("/").slice(0, parts).join("/");
}
