import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentSecurityPolicy } from "./content-security-policy.mjs";

/**
 * Returns the content security policy of the page at a URL. A page that Next renders per request marks its inline
 * scripts with the nonce.
 */
export type PagePolicy = (url: string, nonce: string) => string;

/**
 * Pages that Next may send at any address: for what is missing and what fails. Their inline scripts are allowed on
 * every page.
 */
const anywhere = ["/_not-found", "/_global-error", "/404", "/500"];

/**
 * Builds the policies of the pages in the build. Next writes a nonce only into pages that it renders per request. The
 * others are files with known inline scripts, whose hashes go into the policy of their address
 * (docs/decisions/222-inline-scripts-have-a-hash-or-a-nonce.md).
 */
export async function pagePolicies(root = process.cwd()): Promise<PagePolicy> {
  const hashes = new Map<string, string[]>();
  // `pages` holds only 404 and 500, which Next generates itself.
  for (const folder of ["app", "pages"].map((name) => join(root, ".next", "server", name))) {
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".html"));
    for (const file of files)
      hashes.set(
        `/${file.replaceAll("\\", "/").slice(0, -".html".length)}`.replace(/^\/index$/, "/"),
        hashesOf(await readFile(join(folder, file), "utf8")),
      );
  }
  const ofAny = anywhere.flatMap((path) => hashes.get(path) ?? []);
  const fixed = new Map(
    [...hashes].map(([path, own]) => [path, contentSecurityPolicy([...new Set([...own, ...ofAny])].join(" "))]),
  );
  return (url, nonce) =>
    fixed.get(url.split("?", 1)[0]!) ?? contentSecurityPolicy([`'nonce-${nonce}'`, ...new Set(ofAny)].join(" "));
}

/** Returns the sources of a page's inline scripts, as a policy lists them. */
export function hashesOf(html: string): string[] {
  return Array.from(
    html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g),
    ([, script]) => `'sha256-${createHash("sha256").update(script!).digest("base64")}'`,
  );
}
