import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readIfThere, writeWhole } from "../launch/files.mjs";
import { inProject, root } from "../launch/paths.mjs";
import { hashOfSources } from "./sources.mjs";

const stamp = inProject(".build", "public.hash");
/** The directory of the build, before it replaces the earlier one. */
const folder = inProject(".build", "public.new");
const built = inProject(".build", "public");
const bundleFolder = inProject("components", "public", "bundle");
const sources = [
  "components",
  "server",
  "app/brand.css",
  "scripts/build/build-public.mjs",
  "package-lock.json",
  "tsconfig.json",
];

/** Builds the public pages unless the sources equal those of the last build. */
export async function buildPublic(step) {
  const want = hashOfSources(sources);
  if (readIfThere(stamp) === want && existsSync(join(built, "pages.mjs"))) return;
  await step("Public pages", async ({ done }) => {
    rmSync(stamp, { force: true });
    await bundlePublic();
    writeWhole(stamp, want);
    done("built");
  });
}

/**
 * Writes the public pages into .build/public: pages.mjs, which renders them as strings on the server, and assets/,
 * which browsers load. The components are those of the console; React is replaced on the server by a runtime that
 * writes HTML directly, and in the browser by Preact.
 */
export async function bundlePublic() {
  const { build, stop } = await import("esbuild");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const assets = await buildAssets(build);
  // Always the same name, because browsers look there for a newer version.
  await build({
    absWorkingDir: root,
    entryPoints: [join(bundleFolder, "browser", "offline.ts")],
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome111", "firefox114", "safari16.4"],
    logLevel: "error",
  });
  await build({
    absWorkingDir: root,
    entryPoints: { pages: join(bundleFolder, "server.tsx") },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    jsx: "automatic",
    jsxDev: false,
    alias: {
      react: join(bundleFolder, "react.ts"),
      "react/jsx-runtime": join(bundleFolder, "jsx-runtime.ts"),
    },
    plugins: [icons],
    // Packages for Node. Those with components are bundled, so that they use our runtime.
    external: ["qrcode", "*.wasm"],
    define: { ASSETS: JSON.stringify(assets), "process.env.NODE_ENV": '"production"' },
    sourcemap: true,
    logLevel: "error",
  });
  await stop();
  rmSync(built, { recursive: true, force: true });
  renameSync(folder, built);
}

/** @returns the paths of the style and the script of each page, and of all files that the scanner loads */
async function buildAssets(build) {
  // Built separately, because esbuild would otherwise put what both pages need of a package into one shared file.
  const [style, credential, verify, device] = await Promise.all(
    ["public.css", "browser/credential.ts", "browser/verify.ts", "browser/device.ts"].map((source) =>
      buildAsset(build, source),
    ),
  );
  return {
    style: style.path,
    credential: credential.path,
    verify: verify.path,
    device: device.path,
    verifyFiles: [...verify.files, ...device.files],
  };
}

async function buildAsset(build, source) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(bundleFolder, source)],
    outdir: join(folder, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    publicPath: "/assets",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome111", "firefox114", "safari16.4"],
    jsx: "automatic",
    jsxDev: false,
    loader: { ".woff2": "file", ".woff": "file", ".wasm": "file" },
    alias: {
      react: join(bundleFolder, "browser", "react.ts"),
      "react/jsx-runtime": "preact/jsx-runtime",
      "@/components/ui/markdown": join(bundleFolder, "browser", "lazy-markdown.tsx"),
      "@/components/public/verify-answer": join(bundleFolder, "browser", "lazy-answer.tsx"),
    },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [tailwind(), icons, singleIcons],
    metafile: true,
    logLevel: "error",
  });
  const [output] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source));
  const pathOf = (output) => `/assets/${basename(output)}`;
  const files = Object.keys(metafile.outputs).filter((output) => /\.(?:js|wasm)$/.test(output));
  return { path: pathOf(output), files: files.map(pathOf) };
}

/** Makes icons with bundle/create-icon.ts. */
const icons = {
  name: "icons",
  setup({ onResolve }) {
    onResolve({ filter: /\/createLucideIcon\.mjs$/ }, () => ({
      path: join(bundleFolder, "create-icon.ts"),
      sideEffects: false,
    }));
  },
};

/**
 * If a typeface arrives late, the page keeps the fallback, and the next page uses the typeface at once. A swap would
 * move the lines under the finger of a reader on a slow connection. The serif of cards is still swapped, because a card
 * keeps its size.
 */
const withoutLateFont = (css) =>
  css.replace(/@font-face\s*\{[^}]*\}/g, (face) =>
    face.includes("Inter Variable") ? face.replace(/font-display:\s*swap/, "font-display: optional") : face,
  );

/**
 * Imports each icon from its own file. Through the package's index, esbuild would consider every icon reachable from
 * every page, and load those of later parts first. The keys that React needs for an icon's parts are left out: they are
 * random, and do not compress.
 */
const singleIcons = {
  name: "single icons",
  setup({ onLoad }) {
    const all = readFileSync(inProject("node_modules", "lucide-react", "dist", "esm", "lucide-react.mjs"), "utf8");
    const files = new Map();
    for (const [, names, file] of all.matchAll(/export \{([^}]*)\} from '\.\/(icons\/[\w-]+\.mjs)'/g))
      for (const [, name] of names.matchAll(/default as (\w+)/g)) files.set(name, file);
    onLoad({ filter: /lucide-react[\\/].*[\\/]icons[\\/][\w-]+\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/, key: "\w+"/g, ""),
    }));
    onLoad({ filter: /components[\\/].*\.tsx?$/ }, ({ path }) => ({
      loader: path.endsWith("x") ? "tsx" : "ts",
      contents: readFileSync(path, "utf8").replace(/import \{([^}]*)\} from "lucide-react";/, (_, names) =>
        names
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "" && !name.startsWith("type "))
          .map((name) => `import ${name} from "lucide-react/dist/esm/${files.get(name)}";`)
          .join(""),
      ),
    }));
  },
};

/** Compiles the stylesheet with Tailwind. */
function tailwind() {
  return {
    name: "tailwind",
    setup({ onLoad }) {
      onLoad({ filter: /public[\\/]bundle[\\/]public\.css$/ }, async ({ path }) => {
        const [{ default: postcss }, { default: plugin }] = await Promise.all([
          import("postcss"),
          import("@tailwindcss/postcss"),
        ]);
        const { css } = await postcss([plugin({ optimize: false })]).process(readFileSync(path, "utf8"), {
          from: path,
        });
        return { contents: withoutLateFont(css), loader: "css", resolveDir: dirname(path) };
      });
    },
  };
}
