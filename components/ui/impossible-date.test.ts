import { describe, expect, it } from "vitest";
import { inWords, isImpossible } from "./impossible-date";

const date = (day: number | null, month: number | null, year: number | null) => ({ day, month, year });

describe("a date that is being typed", () => {
  it.each([
    [31, 2, 2026],
    [30, 2, 2028],
    [29, 2, 2026],
    [31, 4, 2026],
    [29, 2, 2100],
    [30, 2, null],
    [31, 6, null],
  ])("there is no day %i of month %i of %s", (day, month, year) => {
    expect(isImpossible(date(day, month, year))).toBe(true);
  });

  it.each([
    [29, 2, 2028],
    [29, 2, null],
    [29, 2, 2],
    [29, 2, 202],
    [31, 1, 2026],
    [31, null, 2026],
    [null, 2, 2026],
    [28, 2, 2026],
  ])("day %s of month %s of %s may be", (day, month, year) => {
    expect(isImpossible(date(day, month, year))).toBe(false);
  });

  it("is named in the organisation's language, without an incomplete year", () => {
    expect(inWords(date(31, 2, 2026), "en-GB")).toBe("31 February 2026");
    expect(inWords(date(31, 2, 20), "de")).toBe("31 Februar");
  });
});
