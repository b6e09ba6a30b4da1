import { expect, it } from "vitest";
import { advisoryLocks } from "@/server/core/advisory-locks";
import { isTestCode, readSource, sourceFiles } from "./sources";

const numbers = Object.values(advisoryLocks) as number[];
const takesALock = /pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\(\s*([^\s,)]+)/g;

it("every advisory lock has its own number", () => {
  expect(new Set(numbers).size).toBe(numbers.length);
});

/** Whether the key of a lock is registered: a number of the registry, or a 64-bit hash. */
function isRegistered(file: string, key: string, text: string): boolean {
  if (/^[\d_]+$/.test(key)) return numbers.includes(Number(key.replaceAll("_", "")));
  if (key.startsWith("hashtextextended(")) return true;
  if (key === "$1" && file === "scripts/migrations/migrate.mjs") return text.includes("migrationLock = 72_707_369");
  return key === "$1" && /\[\s*advisoryLocks\.\w+/.test(text);
}

it("code takes advisory locks only by numbers of the registry", () => {
  const taken = sourceFiles(["ts", "mjs", "sql"])
    .filter((file) => !isTestCode(file))
    .flatMap((file) => [...readSource(file).matchAll(takesALock)].map(([, key]) => ({ file, key: key! })));
  expect(taken.length).toBeGreaterThan(8);
  expect(taken.filter(({ file, key }) => !isRegistered(file, key, readSource(file)))).toEqual([]);
});

it("the numbers of the registry are written nowhere else", () => {
  const elsewhere = sourceFiles(["ts", "mjs"]).filter(
    (file) => file !== "server/core/advisory-locks.ts" && !isTestCode(file),
  );
  const repeated = elsewhere.flatMap((file) =>
    [...readSource(file).matchAll(/\b\d[\d_]{6,}\b/g)]
      .filter(([digits]) => numbers.includes(Number(digits.replaceAll("_", ""))))
      .map(([digits]) => `${file}: ${digits}`),
  );
  expect(repeated).toEqual(["scripts/migrations/migrate.mjs: 72_707_369"]);
});
