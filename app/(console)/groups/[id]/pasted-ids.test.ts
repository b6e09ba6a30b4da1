import { expect, it } from "vitest";
import { pastedIds } from "./pasted-ids";

it("takes one id per line, without repetitions and surrounding spaces", () => {
  expect(pastedIds(" s-1\r\n\ns-2 \ns-1")).toEqual(["s-1", "s-2"]);
});

it("takes the first of two columns that were copied from a spreadsheet", () => {
  expect(pastedIds("s-1\tAda Lovelace\ns-2\tAlan, Turing\n\tNobody")).toEqual(["s-1", "s-2"]);
});

it("takes commas and semicolons as the end of an id", () => {
  expect(pastedIds("s-1, s-2;s-3;\n,s-4")).toEqual(["s-1", "s-2", "s-3", "s-4"]);
});
