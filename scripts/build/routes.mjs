import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const folder = join(root, "server/http/generated");

/** app/v1/subjects/[id]/route.ts → /v1/subjects/:id; [...path] → a wildcard; (group) → nothing. */
function pathOf(file) {
  const parts = relative(join(root, "app"), dirname(file))
    .split(sep)
    .filter((part) => part && !/^\(.*\)$/.test(part));
  return (
    "/" + parts.map((part) => part.replace(/^\[\.\.\.(\w+)\]$/, ":$1{.+}").replace(/^\[(\w+)\]$/, ":$1")).join("/")
  );
}

function routeFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return path === join(root, "app/api") ? [] : routeFiles(path);
    return entry.name === "route.ts" ? [path] : [];
  });
}

/**
 * Writes server/http/generated/routes.ts: every route file outside app/api, which server/serve.ts dispatches without
 * Next's pipeline. Its neighbour lazy-routes.ts, for tests, imports a route file when it is needed. Do not edit the
 * files by hand.
 */
export function generateRoutes() {
  // The most specific path first: fixed parts before parameters, the catch-all last.
  const rank = (file) => pathOf(file).replaceAll(":", "\uffff").replace(/\{.*/, "\uffff");
  const files = routeFiles(join(root, "app")).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const named = files.map((file) => ({
    path: JSON.stringify(pathOf(file)),
    module: `"@/${relative(root, file).split(sep).join("/").replace(/\.ts$/, "")}"`,
  }));
  const imports = named.map(({ module }, i) => `import * as r${i} from ${module};`);
  const rows = named.map(({ path }, i) => `  { path: ${path}, handlers: r${i} },`);
  write("routes.ts", [...imports, "", "export const routes = [", ...rows, "];"]);
  const lazyRows = named.map(({ path, module }) => `  { path: ${path}, load: () => import(${module}) },`);
  write("lazy-routes.ts", ["export const lazyRoutes = [", ...lazyRows, "];"]);
}

function write(name, lines) {
  const target = join(folder, name);
  const text = `// Written by scripts/build/routes.mjs.\n${lines.join("\n")}\n`;
  mkdirSync(folder, { recursive: true });
  try {
    if (readFileSync(target, "utf8") === text) return;
  } catch {
    // The first time there is no file to compare with.
  }
  writeFileSync(target, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateRoutes();
