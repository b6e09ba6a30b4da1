import { describe, expect, it } from "vitest";
import { drawBadge } from "./badge";
import { fitLines, type Box } from "./fit-lines";
import { outlineOf } from "./outline";
import { runsOf } from "./runs";

const style = { style: "sans", weight: 400, language: "en" } as const;
const box: Box = { ...style, width: 200, height: 100, largest: 40, smallest: 10 };
const colors = { background: "#fbf8f0", foreground: "#22303a", accent: "#8c6a2f" };
const textOf = (fitted: ReturnType<typeof fitLines>) =>
  fitted.lines.map(({ runs }) => runs.map(({ text }) => text).join(""));
const familyOf = (path: string) => /@fontsource\/([^/]+)/.exec(path)![1];

describe("runsOf", () => {
  it.each([
    ["Łukasz Žižek", ["noto-sans"]],
    ["Nguyễn Thị Minh Khai", ["noto-sans"]],
    ["Елена Смирнова", ["noto-sans"]],
    ["Ελένη Παπαδοπούλου", ["noto-sans"]],
    ["محمد بن سلمان", ["noto-sans-arabic"]],
    ["שלום כהן", ["noto-sans-hebrew"]],
    ["श्रीमती प्रियंका", ["noto-sans"]],
    ["ณัฐวุฒิ", ["noto-sans-thai"]],
    ["তাসনিম", ["noto-sans-bengali"]],
    ["தமிழ்", ["noto-sans-tamil"]],
    ["ქეთევან", ["noto-sans-georgian"]],
    ["አበበ", ["noto-sans-ethiopic"]],
    ["ស្រី", ["noto-sans-khmer"]],
    ["王小明", ["noto-sans-sc"]],
    ["山田はなこ", ["noto-sans-jp"]],
    ["김민준", ["noto-sans-kr"]],
  ])("has a glyph for each character of %s", (text, families) => {
    const runs = runsOf(text, style);
    expect([...new Set(runs.map(({ face }) => familyOf(face.path)))]).toEqual(families);
    // Glyph 0 is what a font draws for a character that it lacks.
    expect(runs.flatMap(({ glyphs }) => glyphs.glyphs.map(({ id }) => id))).not.toContain(0);
    expect(runs.map((run) => run.text).join("").length).toBe(text.normalize("NFC").length);
  });

  it("takes the Japanese shapes of Han characters where the language is Japanese", () => {
    const [run] = runsOf("直子", { ...style, language: "ja-JP" });
    expect(familyOf(run!.face.path)).toBe("noto-sans-jp");
  });

  it("puts words from right to left in their order among words from left to right", () => {
    const words = runsOf("Dr. محمد Ali", style).map(({ text }) => text.trim());
    expect(words.filter(Boolean)).toEqual(["Dr.", "محمد", "Ali"]);
    const inArabic = runsOf("محمد Ali علي", style).map(({ text }) => text.trim());
    expect(inArabic.filter(Boolean)).toEqual(["علي", "Ali", "محمد"]);
  });

  it("mirrors brackets in text from right to left", () => {
    const drawn = (text: string) => runsOf(text, style).map((run) => run.text);
    expect(drawn("שלום (כהן)")).toEqual(["(", "כהן", ")", "שלום "]);
    expect(drawn("שלום (PhD)")).toEqual(["(", "PhD", ")", "שלום "]);
  });

  it("leaves out characters that no font has", () => {
    expect(
      runsOf("A\u{1F9EC}B", style)
        .map(({ text }) => text)
        .join(""),
    ).toBe("AB");
  });
});

describe("fitLines", () => {
  it("keeps the largest size where the text fits, and breaks between words", () => {
    const fitted = fitLines("Master of Arts", box);
    expect([fitted.size, textOf(fitted)]).toEqual([40, ["Master of", "Arts"]]);
  });

  it("takes a smaller size rather than break a word", () => {
    const fitted = fitLines("Internationalisation", box);
    expect(textOf(fitted)).toEqual(["Internationalisation"]);
    expect(fitted.size).toBeLessThan(40);
  });

  it("breaks text without spaces between its words", () => {
    const lines = textOf(fitLines("计算机科学与技术理学硕士学位证书", box));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join("")).toBe("计算机科学与技术理学硕士学位证书");
  });

  it.each(["a".repeat(5000), "word ".repeat(1000), "字".repeat(2000)])(
    "stays within its box and says with an ellipsis that text is missing",
    (text) => {
      const { size, lines } = fitLines(text, box);
      expect(size).toBe(box.smallest);
      expect(Math.max(...lines.map(({ width }) => width))).toBeLessThanOrEqual(box.width);
      expect(textOf({ size, lines }).at(-1)).toMatch(/…$/);
    },
  );
});

describe("drawBadge", () => {
  it("gives the same picture for the same text", () => {
    const text = { title: "Diploma", issuer: "Northgate", language: "en", colors };
    expect(drawBadge(text)).toBe(drawBadge(text));
  });

  it("draws another picture for another title", () => {
    const text = { issuer: "Northgate", language: "en", colors };
    expect(drawBadge({ ...text, title: "Diploma" })).not.toBe(drawBadge({ ...text, title: "Degree" }));
  });
});

it("outlines centre each line", () => {
  const outline = outlineOf(fitLines("oo", box), { x: 100, y: 50 });
  const xs = [...outline.matchAll(/[ML](-?[\d.]+)/g)].map(([, x]) => Number(x));
  expect(Math.abs((Math.min(...xs) + Math.max(...xs)) / 2 - 100)).toBeLessThan(3);
});
