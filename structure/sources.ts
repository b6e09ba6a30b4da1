import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The folder of the project. */
export const root = join(import.meta.dirname, "..");

const withoutCode = ["docs", "node_modules", "public"];
/** All folders, so that code in a new one is seen; those with a leading dot are built or private. */
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !withoutCode.includes(entry.name))
  .map(({ name }) => name);

/** The extensions of code. */
export const code = ["ts", "tsx", "mts", "js", "jsx", "mjs", "cjs"];

const leftOut = (name: string) => name === "node_modules" || name === "generated";

/**
 * Returns the paths of all source files with one of these extensions, relative to the project and sorted, without
 * generated code.
 */
export function sourceFiles(extensions: string[]): string[] {
  const found = globSync(`{${folders.join(",")}}/**/*.{${extensions.join(",")},}`, { cwd: root, exclude: leftOut });
  // A route's folder can have the name of a file: app/docs/reference.js.
  return found.filter((file) => statSync(join(root, file)).isFile()).sort();
}

export const readSource = (file: string) => readFileSync(join(root, file), "utf8");

/** Whether a file is a test, a test helper or a test's child process: code that no production process runs. */
export const isTestCode = (file: string) =>
  /\.(test|spec)\.(ts|tsx|mjs)$|\.child\.ts$|\/testing\/|^(e2e|bench|structure)\//.test(file);
