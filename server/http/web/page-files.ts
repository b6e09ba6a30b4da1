import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Lists the paths of all files that Next serves in production: public/, .next/static and files of app/ such as
 * /icon.svg. Reads them once, as Next does.
 */
export async function listPageFiles(root = process.cwd()): Promise<Set<string>> {
  const [ofPublic, ofBuild, routes] = await Promise.all([
    filesBelow(join(root, "public"), "/"),
    filesBelow(join(root, ".next", "static"), "/_next/static/"),
    readFile(join(root, ".next", "app-path-routes-manifest.json"), "utf8"),
  ]);
  const ofApp = Object.values(JSON.parse(routes) as Record<string, string>).filter((path) => looksLikeFile(path));
  return new Set([...ofPublic, ...ofBuild, ...ofApp]);
}

/** Whether the path has a form that only files have: /_next/static/… or a file's suffix. No page has such a path. */
export function looksLikeFile(path: string): boolean {
  return /^\/_next\/static\/|^\/(?:[^/]+\/)*[^/]+\.(?:svg|ico|png|jpe?g|gif|webp|avif|webmanifest|txt|xml|js|mjs|css|map|json|wasm|woff2?|ttf|php|asp|html?)$/i.test(
    path,
  );
}

async function filesBelow(folder: string, prefix: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(
      (entry) =>
        prefix +
        encodeURI(
          join(entry.parentPath, entry.name)
            .slice(folder.length + 1)
            .replaceAll("\\", "/"),
        ),
    );
}
