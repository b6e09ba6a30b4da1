import { expect, test } from "vitest";
import { parseDuration } from "./duration";

const now = new Date("2026-03-01T12:00:00Z");

test.each([
  ["1s", 1000],
  ["1w2d3h4m5s", 788_645_000],
  ["90", 90_000],
  ["", 0],
  ["2026-03-01T12:00:10.000Z", 10_000],
  ["2026-03-01T11:00:00.000Z", 0],
  ["soon", undefined],
  [null, undefined],
])("%j is %j ms", (text, ms) => {
  expect(parseDuration(text, now)).toBe(ms);
});
