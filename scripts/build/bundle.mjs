import { root } from "../launch/paths.mjs";

/**
 * Bundles TypeScript of this project into .mjs files, since Node does not resolve our imports by itself. The generated
 * Prisma client becomes part of them; packages stay outside.
 * @param {string[] | Record<string, string>} entryPoints source files, or the output's name of each
 * @param {string} outdir an absolute path
 */
export async function bundle(entryPoints, outdir) {
  const { build, stop } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    packages: "external",
    sourcemap: true,
    metafile: true,
    logLevel: "error",
  });
  // esbuild's own process, which would keep running next to the server.
  await stop();
  return metafile;
}
