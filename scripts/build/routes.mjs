import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const target = join(root, "server/http/generated/routes.ts");

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
 * Next's pipeline. Do not edit the file by hand.
 */
export function generateRoutes() {
  // The most specific path first: fixed parts before parameters, the catch-all last.
  const rank = (file) => pathOf(file).replaceAll(":", "\uffff").replace(/\{.*/, "\uffff");
  const files = routeFiles(join(root, "app")).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  const imports = files.map(
    (file, i) => `import * as r${i} from "@/${relative(root, file).split(sep).join("/").replace(/\.ts$/, "")}";`,
  );
  const rows = files.map((file, i) => `  { path: ${JSON.stringify(pathOf(file))}, handlers: r${i} },`);
  const text = `// Written by scripts/build/routes.mjs.\n${imports.join("\n")}\n\nexport const routes = [\n${rows.join("\n")}\n];\n`;
  mkdirSync(dirname(target), { recursive: true });
  try {
    if (readFileSync(target, "utf8") === text) return;
  } catch {
    // The first time there is no file to compare with.
  }
  writeFileSync(target, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) generateRoutes();
