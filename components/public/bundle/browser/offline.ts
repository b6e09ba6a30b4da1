/// <reference lib="webworker" />
import { keptScanner, keptScannerFile } from "../../device/scanner-files";
import { forgetPage, keepPage, keptFile, keptPage } from "./kept-pages";

// The service worker of credentials' pages (/c/) and of the scanner (/verify), installed when somebody keeps one of
// them on the device. It always asks the service first and shows a kept page only without an answer. It marks a
// credential's kept page (data-kept).

const worker = self as unknown as ServiceWorkerGlobalScope;
/** How long to wait for the service if a page is kept. */
const patienceMs = 8_000;
/** A shorter wait, because people queue at a door. */
const scannerPatienceMs = 4_000;

worker.addEventListener("install", () => void worker.skipWaiting());
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (/^\/c\/[^/]+$/.test(pathname)) event.respondWith(page(request, pathname));
  else if (pathname === "/verify") event.respondWith(scanner(request));
  else if (/^\/assets\/|^\/icon\.svg$|\/(?:photo|picture)\//.test(pathname)) event.respondWith(file(request));
});

async function page(request: Request, path: string): Promise<Response> {
  const kept = await keptPage(path);
  if (!kept) return fetch(request);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(patienceMs) });
    if (answer.ok) await keepPage(path, await answer.clone().text(), answer.headers).catch(() => undefined);
    else if (answer.status === 404) await forgetPage(path);
    else if (answer.status >= 500 && request.mode === "navigate") return marked(kept);
    return answer;
  } catch (error) {
    // A script that refreshes the page gets the failure. Only a person who opens the page sees the kept copy.
    if (request.mode !== "navigate") throw error;
    return marked(kept);
  }
}

/** The scanner opens without the service. Its answers about a code then say that they come from this device. */
async function scanner(request: Request): Promise<Response> {
  const kept = await keptScanner();
  if (!kept || request.mode !== "navigate") return fetch(request);
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(scannerPatienceMs) });
    return answer.status >= 500 ? kept : answer;
  } catch {
    return kept;
  }
}

async function marked(kept: Response): Promise<Response> {
  const html = await kept.text();
  return new Response(html.replace("<html ", '<html data-kept="" '), { headers: kept.headers });
}

async function file(request: Request): Promise<Response> {
  return (await keptFile(request)) ?? (await keptScannerFile(request)) ?? fetch(request);
}
