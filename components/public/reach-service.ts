/**
 * Rejects if the service cannot be reached, unless this device keeps its files. Call it before `import()`: a browser
 * remembers a failed import while the page is open, and would not request the module again once there is a connection.
 */
export async function reachService(): Promise<void> {
  // On a device that keeps the scanner, the service worker has every file of it.
  if (navigator.serviceWorker?.controller && (await caches.has("bonafide-scanner"))) return;
  await fetch("/healthz", { method: "HEAD", cache: "no-store" });
}
