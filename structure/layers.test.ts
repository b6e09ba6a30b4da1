import { describe, expect, it } from "vitest";
import { importGraph, importsOf, type Import } from "./import-graph";
import { exceptions, frameworks, moduleOf, modules, type Module } from "./layers";
import { code, isTestCode, sourceFiles } from "./sources";

const named = (name: string) => modules.find((module) => module.name === name);
const rank = (module: Module) => modules.indexOf(module);

/** Returns why an import is not allowed; undefined if it is. */
function refusal({ from, to, isPackage, isTypeOnly }: Import): string | undefined {
  const importer = moduleOf(from);
  if (!importer) return "belongs to no module: add it to structure/layers.ts";
  if (isPackage && importer.packages)
    return importer.packages.includes(to) ? undefined : `${importer.name} may not use ${to}`;
  if (isPackage)
    return !frameworks.includes(to) || importer.frameworks?.includes(to)
      ? undefined
      : `${importer.name} may not use ${to}`;
  if (to.startsWith(".build/") || /\.(css|json|svg)$/.test(to)) return undefined;
  if (isTestCode(to)) return "production code imports test code";
  const imported = moduleOf(to);
  if (!imported) return "imports what belongs to no module";
  if (imported === importer || importer.imports.includes(imported.name)) return undefined;
  if (isTypeOnly && importer.types?.includes(imported.name)) return undefined;
  return `${importer.name} may not import ${isTypeOnly ? "types of " : importer.types?.includes(imported.name) ? "more than types of " : ""}${imported.name}`;
}

const isException = ({ from, to }: Import) => exceptions.some((each) => each.from === from && each.to === to);
const refused = (imports: Import[]) =>
  imports
    .filter((each) => !isException(each))
    .flatMap((each) => refusal(each)?.replace(/^/, `${each.from} -> ${each.to}: `) ?? []);

const graph = importGraph(sourceFiles(code).filter((file) => !isTestCode(file)));

describe("the table of layers", () => {
  it("lets each module import only modules below it", () => {
    const uphill = modules.flatMap((module) =>
      [...module.imports, ...(module.types ?? [])]
        .filter((name) => !named(name) || rank(named(name)!) <= rank(module))
        .map((name) => `${module.name} -> ${name}`),
    );
    expect(uphill).toEqual([]);
  });

  it("lists no import, exception or path that no code uses", () => {
    const used = new Set(
      graph
        .filter(({ isPackage }) => !isPackage)
        .map(({ from, to }) => `${moduleOf(from)?.name} -> ${moduleOf(to)?.name}`),
    );
    const ways = modules.flatMap((module) => module.imports.map((name) => `${module.name} -> ${name}`));
    expect(ways.filter((way) => !used.has(way))).toEqual([]);
    expect(exceptions.filter((each) => !graph.some(({ from, to }) => from === each.from && to === each.to))).toEqual(
      [],
    );
    const files = sourceFiles(code);
    const empty = modules
      .flatMap(({ paths }) => paths)
      .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)));
    expect(empty).toEqual([]);
  });
});

it("every import follows the table of layers, including types", () => {
  expect(graph.length).toBeGreaterThan(3000);
  expect(refused(graph)).toEqual([]);
});

describe("a planted import is refused", () => {
  it.each([
    ["uphill", "server/core/x.ts", `import { revokeCredential } from "@/server/credentials/revoke";`],
    ["uphill, by a relative path", "server/subjects/x.ts", `import { revokeCredential } from "../credentials/revoke";`],
    ["uphill, of a type", "server/subjects/x.ts", `import type { CredentialRow } from "@/server/credentials/view";`],
    [
      "uphill, of a type in place",
      "server/subjects/x.ts",
      `export const x = null as import("@/server/credentials/view").CredentialRow | null;`,
    ],
    ["uphill, re-exported", "server/access/x.ts", `export { upsertSubject } from "@/server/subjects/upsert";`],
    [
      "uphill, at run time",
      "server/events/x.ts",
      `export const x = () => import("@/server/webhooks/endpoints/create");`,
    ],
    ["of a sibling", "server/subjects/x.ts", `import { createTemplate } from "@/server/templates/create";`],
    ["of a composition root", "server/http/x.ts", `import { consumers } from "@/server/consumers";`],
    [
      "of code of the domain into the console",
      "app/(console)/x.tsx",
      `import { createTemplate } from "@/server/templates/create";`,
    ],
    ["of a page into an API route", "app/v1/x/route.ts", `import { X } from "@/components/logo";`],
    ["of Next into an API route", "app/v1/x/route.ts", `import { headers } from "next/headers";`],
    ["of Next into the domain", "server/credentials/x.ts", `import { headers } from "next/headers";`],
    ["of Node into what browsers run", "server/core/dates.ts", `import { createHash } from "node:crypto";`],
    ["of the job engine into the domain", "server/retention/x.ts", `import { Inngest } from "inngest";`],
    ["of a module into a script", "scripts/x.mjs", `import { env } from "../server/core/env";`],
    ["of a test helper", "server/demo/x.ts", `import { world } from "@/server/testing/world";`],
    ["from a folder that the table lacks", "server/nowhere/x.ts", `import { env } from "@/server/core/env";`],
  ])("%s", (_, file, text) => {
    expect(refused(importsOf(file, text))).toHaveLength(1);
  });

  it("that leads to no file", () => {
    expect(() => importsOf("server/core/x.ts", `import { x } from "./not-there";`)).toThrow("which is not there");
  });
});

/** Finds files that import each other in a circle, with Tarjan's algorithm; each list is one circle. */
function circles(imports: Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to, isPackage } of imports)
    if (!isPackage && from !== to) next.set(from, [...(next.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const path: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    path.push(file);
    for (const to of next.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (path.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const file of next.keys()) if (!order.has(file)) visit(file);
  return found;
}

it("no files import each other in a circle, including types", () => {
  expect(circles(graph)).toEqual([]);
  const planted = [
    ...importsOf("server/core/env.ts", `import "./log";`),
    ...importsOf("server/core/log.ts", `import type { Env } from "./env";`),
  ];
  expect(circles(planted)).toEqual([["server/core/env.ts", "server/core/log.ts"]]);
});
