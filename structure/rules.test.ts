import { describe, expect, it } from "vitest";
import { isTestCode, readSource, sourceFiles } from "./sources";

const production = sourceFiles(["ts", "tsx"]).filter(
  (file) => /^(server|app|inngest)\//.test(file) && !isTestCode(file),
);

/** Returns the names of the operations that a source file exports. */
const operations = (source: string) =>
  [
    ...source.matchAll(/^export const (\w+)[^=\n]* = (?:command|query|visitorCommand|personCommand|jobCommand)\b/gm),
  ].map(([, name]) => name!);

/** Files with more than one operation, with the reason. */
const severalOperations: Record<string, string> = {
  "server/connectors/sftp/password.ts": "One password: it is set and removed in the same column.",
  "server/credentials/list.ts": "One list, of all people and of one person.",
  "server/holders/request-entry.ts": "One mail, for the entry and for another address.",
  "server/photos/record-photo.ts": "The steps of one import of photos.",
  "server/webhooks/deliveries/list-deliveries.ts": "One list, of all endpoints and of one endpoint.",
  "server/webhooks/deliveries/resend.ts": "One delivery or several, by the same statement.",
  "server/webhooks/endpoints/statistics.ts": "The same figures, of all endpoints and of one endpoint.",
};

/** Returns the names of the models that a source file reads or writes through Prisma. */
const prismaModels = (source: string) =>
  [
    ...source.matchAll(
      /\bdb(?:\(\))?\s*\.\s*(\w+)\s*\.\s*(?:find|create|update|delete|upsert|count|aggregate|groupBy)\w*\(/g,
    ),
  ].map(([, model]) => model!);

/** Decision 385: rows that nothing locks. */
const unlockedModels = ["apiKey", "oAuthClient", "oAuthClientSecret"];

/** Returns the functions of a source file for the job engine that no cron trigger starts. */
const withoutCron = (source: string) =>
  source
    .split("createFunction(")
    .slice(1)
    .filter((definition) => !/triggers: \[[^\]]*\bcron\("/.test(definition.split("createFunction(")[0]!));

it("a file exports one operation, except those that are listed with a reason", () => {
  const counts = production.map((file) => ({ file, names: operations(readSource(file)) }));
  expect(counts.flatMap(({ names }) => names).length).toBeGreaterThan(250);
  const several = counts.filter(({ names }) => names.length > 1).map(({ file }) => file);
  expect(several.toSorted()).toEqual(Object.keys(severalOperations));
});

it("Prisma is used only for the models of decision 385", () => {
  const used = production.flatMap((file) => prismaModels(readSource(file)));
  expect([...new Set(used)].toSorted()).toEqual(unlockedModels);
});

it("every function of the job engine has a cron trigger, which finds work whose wake-up was lost", () => {
  const functions = production.filter((file) => file.startsWith("inngest/"));
  const sources = functions.map((file) => ({ file, source: readSource(file) }));
  expect(sources.filter(({ source }) => source.includes("createFunction(")).length).toBeGreaterThan(15);
  expect(sources.filter(({ source }) => withoutCron(source).length > 0).map(({ file }) => file)).toEqual([]);
});

describe("a planted violation is found:", () => {
  it("a second operation", () => {
    const source = `export const a = query({});\nconst b = command({});\nexport const c: X = jobCommand<Y, void>({});`;
    expect(operations(source)).toEqual(["a", "c"]);
  });

  it("a model that commands lock", () => {
    expect(prismaModels("await ctx.tx.db.policy.update({}); await db()\n  .member\n  .count();")).toEqual([
      "policy",
      "member",
    ]);
  });

  it("a function that only an event starts", () => {
    const source = `inngest.createFunction({ id: "a", triggers: [due] }, run);\ninngest.createFunction({ id: "b", triggers: [due, cron("* * * * *")] }, run);`;
    expect(withoutCron(source)).toHaveLength(1);
  });
});
