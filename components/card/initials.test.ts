import { expect, it } from "vitest";
import { initialsOf } from "./initials";

it.each([
  ["Ada Lovelace", "AL"],
  ["Ada", "A"],
  ["Juan Carlos de la Vega", "JV"],
  ["  “Ödön” von Horváth ", "ÖH"],
  ["E\u0301mile Zola", "E\u0301Z"],
  ["山田 太郎", "山太"],
  ["4711", ""],
  ["", ""],
])("takes of %j the initials %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
