import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The folder of the project. */
export const root = join(import.meta.dirname, "..");

const withoutCode = ["docs", "node_modules", "public"];
/** All of them, so that code in a new one is seen. Those that begin with a dot are built or private. */
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !withoutCode.includes(entry.name))
  .map(({ name }) => name);

/** The extensions of code. */
export const code = ["ts", "tsx", "mts", "js", "jsx", "mjs", "cjs"];

const leftOut = (name: string) => name === "node_modules" || name === "generated";

/**
 * The paths of all source files with one of these extensions, relative to the project, sorted; generated code is left
 * out.
 */
export function sourceFiles(extensions: string[]): string[] {
  const found = globSync(`{${folders.join(",")}}/**/*.{${extensions.join(",")},}`, { cwd: root, exclude: leftOut });
  // A route's folder can be named like a file: app/docs/reference.js.
  return found.filter((file) => statSync(join(root, file)).isFile()).sort();
}

export const readSource = (file: string) => readFileSync(join(root, file), "utf8");

/** True for tests, their helpers and child processes: code that no production process runs. */
export const isTestCode = (file: string) =>
  /\.(test|spec)\.(ts|tsx|mjs)$|\.child\.ts$|\/testing\/|^(e2e|bench|structure)\//.test(file);
