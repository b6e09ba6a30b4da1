import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { contentSecurityPolicy } from "./content-security-policy.mjs";

/**
 * The content security policy of a page at this address. A page that Next renders for the request marks its inline
 * scripts with the nonce.
 */
export type PagePolicy = (url: string, nonce: string) => string;

/**
 * Pages that Next sends at any address: what is missing, and what fails. Every page has their scripts too, such as that
 * of the theme.
 */
const anywhere = ["/_not-found", "/_global-error", "/404", "/500"];

/**
 * The policies of the pages in the build. Next writes a nonce into pages that it renders for each request alone. The
 * others are files, whose inline scripts are known: their hashes are in the policy of that address
 * (docs/decisions/222-inline-scripts-have-a-hash-or-a-nonce.md).
 */
export async function pagePolicies(root = process.cwd()): Promise<PagePolicy> {
  const hashes = new Map<string, string[]>();
  // In `pages` there are only 404 and 500, which Next makes itself.
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

/** The sources of the inline scripts of a page, as a policy names them. */
export function hashesOf(html: string): string[] {
  return Array.from(
    html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g),
    ([, script]) => `'sha256-${createHash("sha256").update(script!).digest("base64")}'`,
  );
}
