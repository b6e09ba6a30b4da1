import { expect, it } from "vitest";
import { contrastOf, paletteOf } from "./palette";

it("measures the contrast of two colours in either order, as WCAG defines it", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#ffffff", "#000000")).toBeCloseTo(21);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrastOf("#123456", "#123456")).toBe(1);
});

it.each(["membership", "employee_id", "student_id", "academic"] as const)(
  "the default text colour of a %s card is easy to read",
  (kind) => {
    const { background, foreground } = paletteOf(kind, undefined);
    expect(contrastOf(foreground, background)).toBeGreaterThanOrEqual(4.5);
  },
);
