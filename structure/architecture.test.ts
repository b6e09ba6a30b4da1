import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importGraph } from "./import-graph";
import { modules } from "./layers";
import { isTestCode, readSource, root, sourceFiles } from "./sources";
import { deliveryStatuses } from "@/server/webhooks/deliveries/delivery-states";
import { endpointSchema } from "@/server/webhooks/endpoints/view";

const page = readSource("docs/architecture.md");

/** The boxes of the diagram from top to bottom, with the name and paths of each module in them. */
const boxes = page
  .split("  subgraph ")
  .slice(1)
  .map((box) =>
    [...box.split("\n  end")[0]!.matchAll(/^ {4}\w+\["([^<]+)<br\/>([^"]+)"\]$/gm)].map(([, name, paths]) => ({
      name: name!,
      paths: paths!.split(", "),
    })),
  );
const boxOf = (name: string) => boxes.findIndex((box) => box.some((module) => module.name === name));

describe("the diagram of docs/architecture.md", () => {
  it("shows every module of the table of layers once, with its paths", () => {
    const shown = boxes.flat();
    const aside = ["scripts", "prisma"];
    expect(shown.map(({ name }) => name).toSorted()).toEqual(
      modules
        .map(({ name }) => name)
        .filter((name) => !aside.includes(name))
        .toSorted(),
    );
    const lost = shown.filter(
      ({ name, paths }) =>
        name !== "shared" &&
        !paths.every((path) => modules.find((module) => module.name === name)!.paths.includes(path)),
    );
    expect(lost).toEqual([]);
  });

  it("shows no module above one that imports it", () => {
    const uphill = modules.flatMap(({ name, imports, types = [] }) =>
      [...imports, ...types].filter((to) => boxOf(to) < boxOf(name)).map((to) => `${name} -> ${to}`),
    );
    expect(uphill).toEqual([]);
  });
});

const imports = importGraph();
const ways = page.split(/^## /m).filter((part) => /^(A request|An event|A job)/.test(part));

/** Returns the files that a text names in backticks, without repetition, in their order. */
const filesIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/`((?:app|inngest|server|components|scripts)\/[^`\s]+\.(?:ts|tsx|mjs))`/g)].map(
      ([, file]) => file!,
    ),
  ),
];

describe.each(ways.map((way) => ({ title: way.split("\n")[0]!, way })))("the way of $title", ({ way }) => {
  const files = filesIn(way);

  it("names files that exist", () => {
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("names only files that are joined by an import to one named before", () => {
    // Steps without an import: the client's fetch, an installed nudge, the transaction in a context, a table that the
    // next file reads.
    const jumps = [
      "server/serve.ts",
      "server/core/transaction.ts",
      "app/v1/credentials/route.ts",
      "app/v1/credentials/bulk/route.ts",
      "server/core/nudge.ts",
      "inngest/run-bulk-jobs.ts",
      "server/credentials/get-bulk-job.ts",
      "server/consumers.ts",
    ];
    const joined = (a: string, b: string) =>
      imports.some(({ from, to }) => (from === a && to === b) || (from === b && to === a));
    const lost = files.filter(
      (file, i) => i > 0 && !jumps.includes(file) && !files.slice(0, i).some((earlier) => joined(earlier, file)),
    );
    expect(lost).toEqual([]);
  });
});

it("every file that the glossary names exists", () => {
  const named = [...readSource("docs/glossary.md").matchAll(/`((?:server|inngest)\/[^`\s]+\.\w+)`/g)].map(
    ([, file]) => file!,
  );
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

describe("server/webhooks/README.md", () => {
  const readme = readSource("server/webhooks/README.md");
  const statesOf = (heading: string) => {
    const diagram = readme.split(`## ${heading}`)[1]!.split("```")[1]!;
    return new Set(
      [...diagram.matchAll(/^ {2}(\S+) --> (\S+):/gm)]
        .flatMap(([, from, to]) => [from!, to!])
        .filter((state) => state !== "[*]"),
    );
  };

  it("draws every state of a delivery and of an endpoint", () => {
    expect(statesOf("A delivery")).toEqual(new Set(deliveryStatuses));
    expect(statesOf("An endpoint")).toEqual(new Set([...endpointSchema.shape.status.options, "deleted"]));
  });

  it("names files that exist", () => {
    const names = readme
      .split("## Files")[1]!
      .split("\n")
      .flatMap((row) => {
        const room = /^\| (dispatch|deliveries|endpoints) \|/.exec(row)?.[1];
        return room ? [...row.matchAll(/`([\w-]+)`/g)].map(([, name]) => `server/webhooks/${room}/${name}.ts`) : [];
      });
    const others = [...readme.split("## Files")[0]!.matchAll(/`(\w+\/[\w-]+\.ts)`/g)].map(
      ([, name]) => `server/webhooks/${name}`,
    );
    expect(names.length).toBeGreaterThan(40);
    expect(others.length).toBeGreaterThan(10);
    expect([...names, ...others].filter((file) => !existsSync(join(root, file)))).toEqual([]);
    // A new file must be added to the README too.
    const all = sourceFiles(["ts"]).filter(
      (file) => /^server\/webhooks\/(dispatch|deliveries|endpoints)\//.test(file) && !isTestCode(file),
    );
    expect(all.filter((file) => !names.includes(file))).toEqual([]);
  });
});

it("every file that CONTRIBUTING.md names exists, except those that a recipe creates", () => {
  const named = [
    ...readSource("CONTRIBUTING.md").matchAll(
      /`((?:app|docs|inngest|prisma|public|scripts|server|structure|e2e)\/[^`\s<>*]+\.\w+)`/g,
    ),
  ].map(([, file]) => file!);
  expect(named.length).toBeGreaterThan(25);
  expect([...new Set(named)].filter((file) => !/\/deactivate/.test(file) && !existsSync(join(root, file)))).toEqual([]);
});

it("the README of the embedded engine names every file of the engine and no others", () => {
  const readme = readSource("inngest/embedded/README.md");
  const files = sourceFiles(["ts"])
    .filter((file) => file.startsWith("inngest/embedded/") && !isTestCode(file))
    .map((file) => file.split("/").at(-1)!);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !readme.includes(`\`${file}\``))).toEqual([]);
  const named = [...readme.matchAll(/`([\w-]+\.ts)`/g)].map(([, file]) => file!);
  expect(named.filter((file) => !files.includes(file))).toEqual([]);
});
