import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSource, root, sourceFiles } from "./sources";

// When a file moves, imports stop compiling; only these tests notice texts that name it.
const path = String.raw`(?:app|bench|components|docs|e2e|inngest|prisma|public|scripts|server|structure)/[^\s\`*<>{}…]+?\.(?:tsx?|mjs|json|md|prisma|sql|txt)`;

/** Whether a build or a recipe creates the file, or a superseded decision names it. */
const elsewhere = (file: string, named: string) =>
  named.startsWith("server/http/generated/") ||
  (file === "CONTRIBUTING.md" && named.includes("/deactivate")) ||
  (file.startsWith("docs/decisions/") && readSource(file).includes("Superseded by"));

/** Returns the names of files in a text that lead to none, as `file: name`. */
function dead(file: string, names: string[]): string[] {
  return names
    .filter((named) => !existsSync(join(root, named)) && !elsewhere(file, named))
    .map((named) => `${file}: ${named}`);
}

const inBackticks = (text: string) => [...text.matchAll(new RegExp(`\`(${path})\``, "g"))].map(([, name]) => name!);

/** The names of files in comments. `/` and `@` before a name belong to an import or a longer path. */
const inComments = (text: string) =>
  [...text.matchAll(/^\s*\*.*|\/\/.*|\/\*.*|^\s*--.*/gm)].flatMap(([comment]) =>
    [...comment.matchAll(new RegExp(`(?<![\\w/@.-])${path}\\b`, "g"))].map(([name]) => name),
  );

it("every file that the documentation names exists", () => {
  const documents = globSync("{*.md,{docs,bench,inngest,server,app,structure}/**/*.md}", { cwd: root });
  const named = documents.map((file) => ({ file, names: inBackticks(readSource(file)) }));
  expect(named.flatMap(({ names }) => names).length).toBeGreaterThan(400);
  expect(named.flatMap(({ file, names }) => dead(file, names))).toEqual([]);
  expect(dead("docs/x.md", inBackticks("See `server/core/gone.ts` and `app/(console)/x.tsx`."))).toHaveLength(2);
});

it("every file that a comment names exists", () => {
  const named = sourceFiles(["ts", "tsx", "mjs", "prisma", "sql"])
    // This file names what does not exist, to see that it is found.
    .filter((file) => file !== "structure/named-files.test.ts")
    .map((file) => ({ file, names: inComments(readSource(file)) }));
  expect(named.flatMap(({ names }) => names).length).toBeGreaterThan(100);
  expect(named.flatMap(({ file, names }) => dead(file, names))).toEqual([]);
  expect(dead("server/x.ts", inComments("// As in server/core/gone.ts.\n/** Or app/v1/x/route.ts. */"))).toHaveLength(
    2,
  );
});
