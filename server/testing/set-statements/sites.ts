import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The ways in which a statement here takes a set of values. */
const takesASet = /ANY\(|unnest\(|jsonb?_to_recordset\(|jsonb?_each\(|jsonb?_array_elements\(/g;

/** A place in the source at which a statement takes a set. */
export interface SetSite {
  /** Such as server/credentials/transition.ts:56. */
  at: string;
  /** The text at that place, up to the next inserted expression. An executed statement contains it unchanged. */
  fragment: string;
}

const folders = ["server", "inngest"];
const notOurs = /node_modules|\/generated\/|\.test\.ts$|\.child\.ts$|\/testing\/|\/demo\//;

/**
 * Finds every place under server/ and inngest/ where a statement takes a set. It searches the source, so that none is
 * missed.
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

/** Returns the static text around a match, within the template literal and between its `${…}` expressions. */
function fragmentAround(line: string, at: number, length: number): string {
  const before = line
    .slice(0, at)
    .split(/`|"|\}|\$now/)
    .at(-1)!;
  const after = line.slice(at + length).split(/`|"|\$\{|\$now/)[0]!;
  return (before + line.slice(at, at + length) + after).trim();
}
