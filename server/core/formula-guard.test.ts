import fc from "fast-check";
import { expect, it } from "vitest";
import { guarded, withoutGuard } from "./formula-guard";

const hostile = fc.string({
  unit: fc.constantFrom("=", "+", "-", "@", "|", "＝", "'", '"', ";", "\t", "\r", "\n", " ", ",", "1", "a", "\u00a0"),
  maxLength: 12,
});

it("removes exactly the apostrophes that the guard added", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(withoutGuard(guarded(text))).toBe(text);
    }),
    { numRuns: 20_000 },
  );
});

it("leaves no cell that a spreadsheet executes, neither at the beginning nor after a separator", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const cells = guarded(text).split(/[;\t\r\n]/);
      for (const cell of cells)
        expect(/^[\s"]*[=+\-@|＝]/.test(cell) && !/^ *[+-]?\d+(\.\d+)?$/.test(cell)).toBe(false);
    }),
    { numRuns: 20_000 },
  );
});

it.each([
  ["@emp-1", "'@emp-1"],
  ["+49 30 1", "'+49 30 1"],
  ["'=already", "''=already"],
  ["-5", "-5"],
  ["D'Arcy-Smith", "D'Arcy-Smith"],
  ["a\n-b", "a\n'-b"],
])("guards %j as %j", (text, expected) => {
  expect(guarded(text)).toBe(expected);
});

it("guards a long text of line breaks in one pass", () => {
  const text = `${"\n".repeat(1_000_000)}=1`;
  expect(withoutGuard(guarded(text))).toBe(text);
});
