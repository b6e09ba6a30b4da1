import { expect, test } from "vitest";
import { fuzzSettings } from "./fuzz-settings.mjs";

test("arguments reach the fuzz test, and the default seed is the clock", () => {
  expect(fuzzSettings(["--requests", "500", "--seed", "7", "--counts"], 0)).toEqual({
    FUZZ_REQUESTS: "500",
    FUZZ_SEED: "7",
    FUZZ_COUNTS: "1",
  });
  expect(fuzzSettings([], 12_345)).toEqual({ FUZZ_REQUESTS: "20000", FUZZ_SEED: "12345" });
});

test("a value that is not a number, and an unknown option, are refused with an explanation", () => {
  expect(() => fuzzSettings(["--seed", "soon"], 0)).toThrow("--seed must be a whole number.");
  expect(() => fuzzSettings(["--bogus"], 0)).toThrow(/Unknown option '--bogus'/);
});
