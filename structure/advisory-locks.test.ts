import { expect, it } from "vitest";
import { advisoryLocks } from "@/server/core/advisory-locks";
import { isTestCode, readSource, sourceFiles } from "./sources";

const numbers = Object.values(advisoryLocks) as number[];
const takesALock = /pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\(\s*([^\s,)]+)/g;

it("gives every advisory lock a number of its own", () => {
  expect(new Set(numbers).size).toBe(numbers.length);
});

/** What an advisory lock may be taken of, by the kind of file. */
function isRegistered(file: string, key: string, text: string): boolean {
  if (/^[\d_]+$/.test(key)) return numbers.includes(Number(key.replaceAll("_", "")));
  if (key.startsWith("hashtextextended(")) return true;
  if (key === "$1" && file === "scripts/migrations/migrate.mjs") return text.includes("migrationLock = 72_707_369");
  return key === "$1" && /\[\s*advisoryLocks\.\w+/.test(text);
}

it("takes advisory locks by numbers of the registry alone", () => {
  const taken = sourceFiles(["ts", "mjs", "sql"])
    .filter((file) => !isTestCode(file))
    .flatMap((file) => [...readSource(file).matchAll(takesALock)].map(([, key]) => ({ file, key: key! })));
  expect(taken.length).toBeGreaterThan(8);
  expect(taken.filter(({ file, key }) => !isRegistered(file, key, readSource(file)))).toEqual([]);
});

it("names the numbers of the registry nowhere else", () => {
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
