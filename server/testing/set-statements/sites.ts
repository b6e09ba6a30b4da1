import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a statement takes a set of values: the ways in which SQL here spells that. */
const takesASet = /ANY\(|unnest\(|jsonb?_to_recordset\(|jsonb?_each\(|jsonb?_array_elements\(/g;

/** A place in the source at which a statement takes a set. */
export interface SetSite {
  /** Such as server/credentials/transition.ts:56. */
  at: string;
  /** What stands there, up to where something is inserted: an executed statement holds it as it is. */
  fragment: string;
}

const folders = ["server", "inngest"];
const notOurs = /node_modules|\/generated\/|\.test\.ts$|\.child\.ts$|\/testing\/|\/demo\//;

/**
 * Every place under server/ and inngest/ where a statement takes a set, found in the source itself so that none can be
 * forgotten.
 */
export function setSites(): SetSite[] {
  const root = join(import.meta.dirname, "../../..");
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
    .filter((file) => !notOurs.test(file));
  return files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, i) =>
        /^\s*(\/\/|\*|\/\*)/.test(line)
          ? []
          : [...line.matchAll(takesASet)].map((match) => ({
              at: `${file}:${i + 1}`,
              fragment: fragmentAround(line, match.index, match[0].length),
            })),
      ),
  );
}

/** The static text around a match: not beyond the template literal, and not into what is inserted with `${…}`. */
function fragmentAround(line: string, at: number, length: number): string {
  const before = line
    .slice(0, at)
    .split(/`|"|\}|\$now/)
    .at(-1)!;
  const after = line.slice(at + length).split(/`|"|\$\{|\$now/)[0]!;
  return (before + line.slice(at, at + length) + after).trim();
}
