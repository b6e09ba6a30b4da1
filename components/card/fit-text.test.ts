import { describe, expect, it } from "vitest";
import { fitText } from "./fit-text";

const box = { width: 60, height: 13.8, largest: 6, lineHeight: 1.12 };

describe("the size of a text in its box", () => {
  it.each(["Ada Lovelace", "Maria-Magdalena von Hohenfels", ""])("has the usual size for %j", (name) => {
    expect(fitText(name, box)).toBe(6);
  });

  it.each([
    ["without spaces", "Wolfeschlegelsteinhausenbergerdorff".repeat(3)],
    ["right to left", "عبدالرحمن بن محمد ".repeat(6)],
    ["of emoji", "👩🏽‍🎓".repeat(80)],
    ["of ideographs", "龍".repeat(80)],
  ])("is smaller for a long name %s, and still fits", (_, name) => {
    const size = fitText(name, box);
    expect(size).toBeLessThan(6);
    expect(size).toBeGreaterThan(1.4);
  });

  it("gets smaller before a word is broken in a narrow field", () => {
    const narrow = { width: 12, height: 8, largest: 3.2, lineHeight: 1.3 };
    const size = fitText("Department of Physics", narrow);
    // "Department" is about 6.3 ems wide.
    expect([size < 2, size >= 1.6]).toEqual([true, true]);
    expect(fitText("Arts", narrow)).toBe(3.2);
  });

  it("gets smaller with each letter, and counts a letter with its marks once", () => {
    const sizes = [40, 80, 160, 300].map((letters) => fitText("n".repeat(letters), box));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(fitText("e\u0301".repeat(80), box)).toBe(fitText("e".repeat(80), box));
  });
});
