import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSource, root, sourceFiles } from "./sources";

const folder = "docs/decisions";
const files = globSync(`${folder}/*.md`, { cwd: root })
  .filter((file) => !file.endsWith("README.md"))
  .sort();
const numberOf = (file: string) => file.slice(folder.length + 1, folder.length + 4);
const index = `${folder}/README.md`;

it("every decision has its own number of three digits", () => {
  const numbers = files.map(numberOf);
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
  expect(numbers.filter((number) => !/^\d{3}$/.test(number))).toEqual([]);
});

describe.each(files)("%s", (file) => {
  const text = readSource(file);

  it("has its number, title and date, and the parts Context, Decision and Consequences", () => {
    expect(text.split("\n")[0]).toMatch(new RegExp(`^# ${numberOf(file)}[.:]? \\S`));
    expect(text.split("\n")[2]).toMatch(/\d{4}-\d\d-\d\d/);
    const parts = [...text.matchAll(/^## (.+)\n+(\S?)/gm)]
      .filter(([, , begin]) => begin !== "" && begin !== "#")
      .map(([, name]) => name);
    expect(parts).toEqual(expect.arrayContaining(["Context", "Decision", "Consequences"]));
  });

  it("is in the index once", () => {
    expect(readSource(index).split(`](${file.slice(folder.length + 1)})`)).toHaveLength(2);
  });
});

/** Returns the references to decisions in a text: a file's path, `docs/decisions/NNN`, or `decision NNN`. */
function referencesIn(text: string): string[] {
  const paths = [...text.matchAll(/docs\/decisions\/(\d{3}(?:-[\w-]+\.md)?)/g)].map(([, found]) => found!);
  return [...paths, ...[...text.matchAll(/\bdecisions? (\d{3})\b/gi)].map(([, number]) => number!)];
}

const documents = [
  ...globSync("{docs,bench,inngest,server,app,structure}/**/*.md", { cwd: root }),
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
].filter((file) => existsSync(join(root, file)));
const sources = sourceFiles(["ts", "tsx", "mjs", "prisma", "css"]).filter((file) => !file.startsWith("structure/"));

it("every reference to a decision leads to one", () => {
  const known = new Set(files.flatMap((file) => [numberOf(file), file.slice(folder.length + 1)]));
  const found = [...sources, ...documents].flatMap((file) =>
    referencesIn(readSource(file)).map((reference) => ({ file, reference })),
  );
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ reference }) => !known.has(reference))).toEqual([]);
});

it("every link of the documentation to a file leads to one", () => {
  const links = documents.flatMap((file) =>
    [...readSource(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to]) => ({ file, to: to! })),
  );
  const dead = links.filter(
    ({ file, to }) => !/^(https?|mailto):|^\//.test(to) && !existsSync(join(root, dirname(file), to)),
  );
  expect(dead).toEqual([]);
});

it("a decision is superseded only by a newer one, and the index says so", () => {
  const pairs = files.flatMap((file) =>
    [...readSource(file).matchAll(/Superseded by \[(\d{3})\]/g)].map(([, by]) => ({ old: numberOf(file), by: by! })),
  );
  expect(pairs.filter(({ old, by }) => Number(by) <= Number(old))).toEqual([]);
  const lines = readSource(index).split("\n");
  expect(
    pairs.filter(
      ({ old, by }) => !lines.some((line) => line.startsWith(`- [${old}](`) && line.endsWith(`(superseded by ${by})`)),
    ),
  ).toEqual([]);
});

it("server/DECISIONS.md does not exist any more, and nothing refers to it", () => {
  expect(existsSync(join(root, "server/DECISIONS.md"))).toBe(false);
  expect([...sources, ...documents].filter((file) => readSource(file).includes("server/DECISIONS"))).toEqual([]);
});
