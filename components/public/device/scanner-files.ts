/** The scanner's page with all files that it loads, kept so that it opens without a connection. */
export const scannerCache = "bonafide-scanner";
const page = "/verify";

export const isScannerKept = (): Promise<boolean> => caches.has(scannerCache);

/** Returns the kept page, if there is one. */
export const keptScanner = async (): Promise<Response | undefined> =>
  (await isScannerKept()) ? (await caches.open(scannerCache)).match(page) : undefined;

/** Returns a kept file of the scanner, if there is one. */
export const keptScannerFile = async (request: Request): Promise<Response | undefined> =>
  (await isScannerKept()) ? (await caches.open(scannerCache)).match(request) : undefined;

/** Keeps the present version of the scanner and replaces the earlier one. Keeps all files or none. */
export async function keepScanner(): Promise<void> {
  const answer = await fetch(page, { cache: "no-store", headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error("The service does not answer.");
  const html = await answer.text();
  const files = filesIn(html);
  const fetched: [string, Response][] = [];
  const before = (await isScannerKept()) ? await caches.open(scannerCache) : undefined;
  for (const file of files) if (!(await before?.match(file))) fetched.push([file, await wholeFile(file)]);
  const kept = await caches.open(scannerCache);
  for (const [file, body] of fetched) await kept.put(file, body);
  await kept.put(page, new Response(html, { headers: answer.headers }));
  // Files of the earlier version.
  for (const request of await kept.keys())
    if (![page, ...files].includes(new URL(request.url).pathname)) await kept.delete(request);
}

async function wholeFile(file: string): Promise<Response> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Error("A file of the scanner could not be loaded.");
  return answer;
}

export const forgetScanner = (): Promise<boolean> => caches.delete(scannerCache);

/** The page lists them, including those that it loads later (pages/verify-page.tsx). Fonts are left out. */
function filesIn(html: string): string[] {
  const named = /<meta name="scanner-files" content="([^"]*)"/.exec(html)?.[1]?.split(" ") ?? [];
  const style = /<link rel="stylesheet" href="([^"]*)"/.exec(html)?.[1];
  return [...new Set([...named, ...(style ? [style] : []), "/icon.svg"])];
}
