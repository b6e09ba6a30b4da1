import { inflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { drawBadge } from "./badge";
import { drawCertificate } from "./certificate";
import { fitLines, type Box } from "./fit-lines";
import { outlineOf } from "./outline";
import { logoWithin, pictureBehind } from "./given-pictures";
import { drawPreview, logoBox, previewSize } from "./preview";
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
    // A font draws glyph 0 for a character that it lacks.
    expect(runs.flatMap(({ glyphs }) => glyphs.glyphs.map(({ id }) => id))).not.toContain(0);
    expect(runs.map((run) => run.text).join("").length).toBe(text.normalize("NFC").length);
  });

  it("uses the Japanese shapes of Han characters if the language is Japanese", () => {
    const [run] = runsOf("直子", { ...style, language: "ja-JP" });
    expect(familyOf(run!.face.path)).toBe("noto-sans-jp");
  });

  it("orders right-to-left words among left-to-right words", () => {
    const words = runsOf("Dr. محمد Ali", style).map(({ text }) => text.trim());
    expect(words.filter(Boolean)).toEqual(["Dr.", "محمد", "Ali"]);
    const inArabic = runsOf("محمد Ali علي", style).map(({ text }) => text.trim());
    expect(inArabic.filter(Boolean)).toEqual(["علي", "Ali", "محمد"]);
  });

  it("mirrors brackets in right-to-left text", () => {
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
  it("keeps the largest size if the text fits, and breaks between words", () => {
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
    "stays within its box, and marks missing text with an ellipsis",
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

describe("a name in any script", () => {
  const names: [script: string, name: string][] = [
    ["Latin", "Łukasz Žižek"],
    ["Vietnamese", "Nguyễn Thị Minh Khai"],
    ["Yoruba", "Ọlábísí Adéṣínà"],
    ["Turkish", "İbrahim Ğalip Şükrü"],
    ["Cyrillic", "Елена Смирнова"],
    ["Kazakh", "Әйгерім Қасымова"],
    ["Greek", "Ελένη Παπαδοπούλου"],
    ["Polytonic Greek", "Ἀριστοτέλης"],
    ["Armenian", "Արամ Խաչատրյան"],
    ["Georgian", "ქეთევან"],
    ["Hebrew", "שלום כהן"],
    ["pointed Hebrew", "דָּוִד בֶּן־גּוּרִיּוֹן"],
    ["Arabic", "محمد بن سلمان"],
    ["pointed Arabic", "مُحَمَّدٌ"],
    ["Persian", "فرهاد پورگیلانی"],
    ["Urdu", "ڈاکٹر ٹیپو گھوڑے"],
    ["Devanagari", "श्रीमती प्रियंका"],
    ["Marathi", "ज्ञानेश्वर कुऱ्हाडे"],
    ["Nepali", "ङिमा शेर्पा"],
    ["Bengali", "তাসনিম চক্রবর্তী"],
    ["Assamese", "ৰঞ্জন বৰুৱা"],
    ["Punjabi", "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ"],
    ["Gujarati", "કૃષ્ણકાંત જ્ઞાની"],
    ["Tamil", "தமிழ்ச்செல்வி ஸ்ரீ"],
    ["Telugu", "వెంకటేశ్వర్లు శ్రీనివాస్"],
    ["Kannada", "ಕೃಷ್ಣಮೂರ್ತಿ ಶ್ರೀ"],
    ["Malayalam", "ഉണ്ണികൃഷ്ണൻ ശ്രീധരൻ"],
    ["Sinhala", "ශ්‍රීමතී ක්‍රිශාන්"],
    ["Thai", "ณัฐวุฒิ ตั้งจิตร์"],
    ["Lao", "ສົມສັກ ວົງສາ"],
    ["Khmer", "ស្រី ខ្មែរ"],
    ["Burmese", "ကျော်စွာ မြင့်"],
    ["Amharic", "አበበ ቢቂላ"],
    ["Chinese", "王小明"],
    ["Japanese", "山田はなこ"],
    ["Korean", "김민준"],
    ["decomposed Korean", "김민준"],
    ["Oriya", "ପ୍ରିୟଙ୍କା ଦାସ"],
    ["Tibetan", "ནམ་མཁའ"],
    ["Mongolian", "ᠪᠠᠲᠤ"],
    ["Cherokee", "ᏣᎳᎩ"],
    ["Tifinagh", "ⵜⵉⴼⵉⵏⴰⵖ"],
    ["Nko", "ߒߞߏ"],
    ["Dhivehi", "އިބްރާހީމް"],
    ["Syriac", "ܐܦܪܝܡ"],
    ["emoji", "👩‍🎓🎓"],
    ["zalgo", "Z̵̧̛a̶̢͝l̷̨͠g̸̡̛o̴̧̕"],
    ["lone surrogate", "A\ud83c"],
    ["control characters", "A\u0000\u200f\u202eB"],
  ];

  it.each(names)("has a visible line: %s", (_, name) => {
    const fitted = fitLines(name, { ...box, style: "serif", weight: 700 });
    expect(fitted.lines.every(({ width }) => width > 0 && Number.isFinite(width))).toBe(true);
    expect(outlineOf(fitted, { x: 0, y: 0 })).not.toBe("");
  });

  it("does not prevent a certificate or a preview", async () => {
    const text = {
      title: "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
      issuer: "వెంకటేశ్వర్లు శ్రీనివాస్",
      holder: "ഉണ്ണികൃഷ്ണൻ ശ്രീധരൻ",
      language: "en",
      colors,
      logo: null,
      background: null,
      font: "serif" as const,
      facts: names.map(([label, value]) => ({ label, value })),
      stamp: null,
      verifyUrl: "https://example.edu/v/1",
      scanText: "https://example.edu/v/1",
      document: "{}",
      issuedAt: new Date(0),
    };
    expect(
      Buffer.from(await drawCertificate(text))
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    expect(drawPreview({ ...text, end: null }, null, null)).toContain("<svg");
  });

  it("shows letters that no font has as boxes, and emoji only if nothing else is visible", () => {
    const drawn = (text: string) =>
      runsOf(text, style)
        .map((run) => run.text)
        .join("");
    expect(drawn("ཀ Karma")).toBe("\u25a1 Karma");
    expect(drawn("\u{1F393} Karma")).toBe(" Karma");
    expect(drawn("\u{1F393}\u{1F393}")).toBe("\u25a1\u25a1");
  });
});

describe("pictures of a design", () => {
  const square = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: "#ff0000" } });

  it("a preview shows the logo in its proportions", async () => {
    const url = `data:image/webp;base64,${(await square(300).webp().toBuffer()).toString("base64")}`;
    const logo = await logoWithin(url, logoBox);
    expect(logo).toMatchObject({ width: logoBox.height, height: logoBox.height });
    const text = {
      title: "Card",
      issuer: "University",
      holder: "Ada",
      language: "en",
      colors,
      font: "inter" as const,
      end: null,
    };
    expect(drawPreview(text, logo, null)).toContain(`<image x="80"`);
    expect(drawPreview(text, null, null)).not.toContain("<image");
  });

  it("a preview shows the design's typeface in front of its background picture", async () => {
    const url = `data:image/png;base64,${(await square(40).png().toBuffer()).toString("base64")}`;
    const text = { title: "Card", issuer: "University", holder: "Ada", language: "en", colors, end: null };
    const [inter, serif] = (["inter", "serif"] as const).map((font) => drawPreview({ ...text, font }, null, null));
    expect(inter).not.toBe(serif);
    expect(familyOf(runsOf("Card", { style: "inter", weight: 700, language: "en" })[0]!.face.path)).toBe("inter");
    const picture = await pictureBehind(url, previewSize);
    expect(drawPreview({ ...text, font: "inter" }, null, picture)).toContain(`href="data:image/jpeg`);
  });

  it("of a certificate leave an oval free, within which each line of the award begins", async () => {
    const pdf = Buffer.from(
      await drawCertificate({
        title: "Bachelor of Science in Applied Mathematics",
        issuer: "University",
        holder: "Wilhelmina Alexandra Featherstonehaugh",
        language: "en",
        colors,
        logo: null,
        background: null,
        font: "serif",
        facts: [],
        stamp: null,
        verifyUrl: "https://example.edu/v/1",
        scanText: "https://example.edu/v/1",
        document: "{}",
        issuedAt: new Date(0),
      }),
    ).toString("latin1");
    const drawn = [...pdf.matchAll(/stream\n([^]*?)\nendstream/g)]
      .map(([, bytes]) => {
        try {
          return inflateSync(Buffer.from(bytes!, "latin1")).toString("latin1");
        } catch {
          return "";
        }
      })
      .join("\n");
    // The oval is from 166 to 676 across the page, and the award from 200 to 480 above its bottom.
    const starts = [...drawn.matchAll(/1 0 0 1 ([\d.]+) ([\d.]+) Tm/g)]
      .map(([, x, y]) => ({ x: Number(x), y: Number(y) }))
      .filter(({ y }) => y > 200 && y < 480);
    expect(starts.length).toBeGreaterThan(3);
    expect(Math.min(...starts.map(({ x }) => x))).toBeGreaterThan(190);
  });

  it("fill the page of a certificate", async () => {
    const url = `data:image/png;base64,${(await square(40).png().toBuffer()).toString("base64")}`;
    const page = await sharp((await pictureBehind(url, { width: 176, height: 124 }))!).metadata();
    expect([page.format, page.width, page.height]).toEqual(["jpeg", 176, 124]);
  });

  it("unreadable pictures are left out", async () => {
    const broken = "data:image/png;base64,iVBORw0KGgo=";
    expect([await logoWithin(broken, logoBox), await pictureBehind(broken, logoBox)]).toEqual([null, null]);
  });
});
