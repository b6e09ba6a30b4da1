import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Bundle from "@/components/public/bundle/server";
import { env } from "@/server/core/env";
import { contentSecurityPolicy } from "@/server/http/web/content-security-policy.mjs";
import { hashesOf } from "@/server/http/web/page-policy";

type Bundled = typeof Bundle;

/** The public pages in one language, each of which returns a whole document as HTML. */
export type Pages = Bundled["english"];

let loaded: Promise<Bundled> | undefined;
let loadedAt = 0;

/**
 * The bundle of the public pages (scripts/build/build-public.mjs). Neither Next nor the server's bundle may contain it,
 * because it has another JSX runtime. In development it is loaded again when it was built again.
 */
export function renderer(): Promise<Bundled> {
  if (loaded && env().NODE_ENV !== "development") return loaded;
  const file = join(process.cwd(), ".build", "public", "pages.mjs");
  const builtAt = statSync(file).mtimeMs;
  if (!loaded || builtAt !== loadedAt) {
    loadedAt = builtAt;
    const url = `${pathToFileURL(file).href}?${builtAt}`;
    loaded = import(/* webpackIgnore: true */ /* turbopackIgnore: true */ url) as Promise<Bundled>;
  }
  return loaded;
}

const headers = new WeakMap<Bundled, Record<string, string>>();

/**
 * Headers of every public page. Caches must not store a page, because it holds a decision, or says that there is no
 * credential.
 */
export function pageHeaders(pages: Bundled): Record<string, string> {
  const known = headers.get(pages);
  if (known) return known;
  const [script] = hashesOf(`<script>${pages.inlineScript}</script>`);
  const made = {
    "content-type": "text/html; charset=utf-8",
    vary: "accept-language",
    "content-security-policy": contentSecurityPolicy(script!),
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(self), microphone=(), geolocation=()",
  };
  headers.set(pages, made);
  return made;
}
