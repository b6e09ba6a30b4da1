/**
 * Rejects where the service is not reached, unless this device keeps its files. To be called before `import()`: a browser remembers that a module could not
 * be loaded for as long as the page is open, and would not ask for it again once there is a connection.
 */
export async function reachService(): Promise<void> {
  // On a device that keeps the scanner, the service worker has every file of it.
  if (navigator.serviceWorker?.controller && (await caches.has("bonafide-scanner"))) return;
  await fetch("/healthz", { method: "HEAD", cache: "no-store" });
}
