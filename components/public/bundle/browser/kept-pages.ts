/** Pages of credentials that are kept on this device, with the files that they load (Cache Storage). */
const name = "bonafide-kept";

const open = () => caches.open(name);

/** Returns the kept page, if there is one. */
export async function keptPage(path: string): Promise<Response | undefined> {
  return (await open()).match(path);
}

/** Returns a file that a kept page loads, if it was kept. */
export async function keptFile(request: Request): Promise<Response | undefined> {
  return (await open()).match(request);
}

/** Keeps a page with its style, scripts and pictures, and replaces an earlier copy. */
export async function keepPage(path: string, html: string, headers: Headers): Promise<void> {
  const kept = await open();
  const before = await filesOf(kept, path);
  for (const file of filesIn(html)) if (!(await kept.match(file))) await kept.add(file);
  await kept.put(path, new Response(html, { headers }));
  await dropUnused(kept, before);
}

/** Removes a page, and the files that no other kept page loads. */
export async function forgetPage(path: string): Promise<void> {
  const kept = await open();
  const files = await filesOf(kept, path);
  await kept.delete(path);
  await dropUnused(kept, files);
}

const filesOf = async (kept: Cache, path: string): Promise<string[]> =>
  filesIn((await (await kept.match(path))?.text()) ?? "");

/** Removes the files in this list that no kept page loads any more. */
async function dropUnused(kept: Cache, files: string[]): Promise<void> {
  const pages = (await kept.keys()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith("/c/"));
  const used = new Set((await Promise.all(pages.map((path) => filesOf(kept, path)))).flat());
  for (const file of files) if (!used.has(file)) await kept.delete(file);
}

/** Fonts are left out, because a page is readable without them. */
function filesIn(html: string): string[] {
  const own = /"(\/assets\/[\w-]+\.(?:js|css)|\/icon\.svg|\/public\/credentials\/[^"]+\/(?:photo|picture)\/[^"]+)"/g;
  return [...new Set(Array.from(html.matchAll(own), ([, file]) => file!.replaceAll("&amp;", "&")))];
}
