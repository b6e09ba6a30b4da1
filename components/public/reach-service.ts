/**
 * Rejects where the service is not reached. To be called before `import()`: a browser remembers that a module could not
 * be loaded for as long as the page is open, and would not ask for it again once there is a connection.
 */
export async function reachService(): Promise<void> {
  await fetch("/healthz", { method: "HEAD", cache: "no-store" });
}
