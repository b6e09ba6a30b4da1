import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { importGraph } from "./import-graph";
import { modules } from "./layers";
import { isTestCode, readSource, root, sourceFiles } from "./sources";
import { runStatuses as connectorRunStatuses } from "@/server/connectors/run-view";
import { runStatuses } from "@/server/policies/run-view";
import { policyStatuses } from "@/server/policies/view";
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
/** Both directions of each import: for each file, the ways require a join to a file before it. */
const joined = new Set(imports.flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]));
const ways = page.split(/^## /m).filter((part) => /^(A request|An event|A job)/.test(part));

/** Returns the files that a text names in backticks, without repetition, in their order. */
const filesIn = (text: string) => [
  ...new Set(
    [...text.matchAll(/`((?:app|inngest|server|components|scripts)\/[^`\s]+\.(?:ts|tsx|mjs))`/g)].map(
      ([, file]) => file!,
    ),
  ),
];

const everywhere = page.split(/^## /m).find((part) => part.startsWith("Everywhere"))!;

/** Files that only start or list the parts of the service; a reader follows the one part. */
const collections = ["server/serve.ts", "inngest/engine.ts", "inngest/functions.ts"];

/** Imports of the named files that the three ways do not go through: other requests, other paths, other figures. */
const turnings: Record<string, string[]> = {
  // Paths of a directory, and the figures of the whole process.
  "server/http/web/dispatcher.ts": ["server/http/scim/refusal.ts"],
  "server/http/web/request-metrics.ts": ["server/http/web/thread-figures.ts"],
  // GET /v1/credentials.
  "app/v1/credentials/route.ts": ["server/credentials/list.ts"],
  // Requests and answers that are files, and If-None-Match.
  "server/http/rest/route.ts": [
    "server/http/rest/download-reply.ts",
    "server/http/rest/if-none-match.ts",
    "server/http/rest/read-file.ts",
  ],
  // The rows of a bulk request.
  "server/http/rest/read-body.ts": ["server/http/rest/json-rows.ts"],
  "server/core/input.ts": ["server/core/refused-row.ts"],
  "server/credentials/issue-set.ts": ["server/credentials/undo-refused.ts"],
  // How the shapes of other resources are described.
  "server/credentials/view.ts": ["server/templates/view.ts"],
  "server/credentials/confirmation.ts": ["server/message-texts/kinds.ts"],
  // Writing a template that names an achievement.
  "server/templates/achievement.ts": ["server/achievements/load.ts"],
  // How a job runs, which the third way tells.
  "inngest/deliver-webhooks.ts": ["inngest/client.ts", "inngest/events.ts", "inngest/tell-failure.ts"],
  "inngest/sequence-events.ts": ["inngest/client.ts", "inngest/tell-failure.ts"],
  "inngest/nudge.ts": ["inngest/client.ts", "inngest/events.ts"],
};

describe.each(ways.map((way) => ({ title: way.split("\n")[0]!, way })))("the way of $title", ({ way }) => {
  const files = filesIn(way);

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
    expect(files.length).toBeGreaterThan(15);
    const lost = files.filter(
      (file, i) =>
        i > 0 && !jumps.includes(file) && !files.slice(0, i).some((earlier) => joined.has(`${earlier} ${file}`)),
    );
    expect(lost).toEqual([]);
  });

  it("names every file that its files call", () => {
    // A later way continues one before, and the page of the embedded engine names the files of the engine.
    const before = ways.slice(0, ways.findIndex((each) => each === way) + 1).join("\n");
    const named = new Set(filesIn(before + everywhere));
    const unnamed = imports.filter(
      ({ from, to, isPackage, isTypeOnly }) =>
        files.includes(from) &&
        !isPackage &&
        !isTypeOnly &&
        !named.has(to) &&
        !to.startsWith("inngest/embedded/") &&
        !to.includes("/generated/") &&
        !collections.includes(from) &&
        !turnings[from]?.includes(to),
    );
    expect(unnamed.map(({ from, to }) => `${from} calls ${to}`)).toEqual([]);
  });
});

it("every turning that the ways do not take exists", () => {
  const taken = (from: string, to: string) => imports.some((each) => each.from === from && each.to === to);
  expect(Object.entries(turnings).flatMap(([from, tos]) => tos.filter((to) => !taken(from, to)))).toEqual([]);
});

const readmes: { folder: string; rooms: string[]; states: Record<string, readonly string[]> }[] = [
  {
    folder: "server/webhooks",
    rooms: ["dispatch", "deliveries", "endpoints"],
    states: {
      "A delivery": deliveryStatuses,
      "An endpoint": [...endpointSchema.shape.status.options, "deleted"],
    },
  },
  {
    folder: "server/policies",
    rooms: ["run", "plan", ""],
    states: { "A policy": [...policyStatuses, "deleted"], "A run": runStatuses },
  },
];

describe.each(readmes)("$folder/README.md", ({ folder, rooms, states }) => {
  const readme = readSource(`${folder}/README.md`);

  it.each(Object.entries(states))("%s: its diagram draws every state", (heading, all) => {
    const diagram = readme.split(`## ${heading}`)[1]!.split("```")[1]!;
    const drawn = [...diagram.matchAll(/^ {2}(\S+) --> (\S+):/gm)].flatMap(([, from, to]) => [from!, to!]);
    expect(new Set(drawn.filter((state) => state !== "[*]"))).toEqual(new Set(all));
  });

  it("names every file, and only files that exist", () => {
    const path = (room: string, name: string) => [folder, room, `${name}.ts`].filter(Boolean).join("/");
    const names = readme
      .split("## Files")[1]!
      .split("\n")
      .flatMap((row) => {
        const room = /^\| (?:(\w+) )?\|/.exec(row);
        return room ? [...row.matchAll(/`([\w-]+)`/g)].map(([, name]) => path(room[1] ?? "", name!)) : [];
      });
    const others = [...readme.split("## Files")[0]!.matchAll(/`((?:\w+\/)?[\w-]+\.ts)`/g)].map(
      ([, name]) => `${folder}/${name}`,
    );
    expect(names.length).toBeGreaterThan(40);
    expect(others.length).toBeGreaterThan(7);
    expect([...names, ...others].filter((file) => !existsSync(join(root, file)))).toEqual([]);
    // A new file must be added to the README too.
    const all = sourceFiles(["ts"]).filter(
      (file) => rooms.some((room) => dirname(file) === join(folder, room)) && !isTestCode(file),
    );
    expect(all.filter((file) => !names.includes(file))).toEqual([]);
  });
});

describe("server/connectors/README.md", () => {
  const readme = readSource("server/connectors/README.md");

  it("draws every final state and every phase of a run", () => {
    const diagram = readme.split("```")[1]!;
    const phases = /export type Phase =([^;]*);/.exec(readSource("server/connectors/run/work.ts"))![1]!;
    const states = [...phases.matchAll(/"(\w+)"/g)].map(([, phase]) => phase!).filter((phase) => phase !== "clearing");
    const drawn = new Set([...diagram.matchAll(/(\w+) --> (\w+)/g)].flatMap(([, from, to]) => [from!, to!]));
    expect(drawn).toEqual(
      new Set([...states, ...connectorRunStatuses.filter((each) => !/^(queued|running)$/.test(each))]),
    );
  });

  it("names files that exist, and every file of the room run", () => {
    const names = readme
      .split("## Files")[1]!
      .split("\n")
      .flatMap((row) => {
        const [, room = "", , files = ""] = row.split("|").map((cell) => cell.trim());
        const own = room === "`.`" ? "" : "run/";
        return [...files.split(";")[0]!.matchAll(/`([\w/-]+)`/g)].map(([, name]) =>
          room === "`.`" || room === "`run`" ? `${own}${name}` : name!,
        );
      });
    const others = [...readme.split("## Files")[0]!.matchAll(/`(\w+\/[\w-]+)\.ts`/g)].map(([, name]) => name!);
    const all = [...names, ...others].map((name) => `server/connectors/${name}.ts`);
    expect(all.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const run = sourceFiles(["ts"]).filter((file) => file.startsWith("server/connectors/run/") && !isTestCode(file));
    expect(run.filter((file) => !all.includes(file))).toEqual([]);
  });
});

it("every import in the code of CONTRIBUTING.md leads to a file, except those that a recipe creates", () => {
  const imported = [...readSource("CONTRIBUTING.md").matchAll(/^import .* from "@\/([^"]+)";$/gm)].map(
    ([, path]) => path!,
  );
  expect(imported.length).toBeGreaterThan(10);
  const isThere = (path: string) => [".ts", ".tsx"].some((ending) => existsSync(join(root, path + ending)));
  expect(imported.filter((path) => !/\/deactivate/.test(path) && !isThere(path))).toEqual([]);
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
