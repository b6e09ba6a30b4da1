import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { create, type Font } from "fontkit";
import { guardLayout } from "./guard-layout";

// Packages of this project, wherever the bundle of a worker process is: npm runs every command in the project's folder.
const packages = createRequire(join(process.cwd(), "package.json"));

/** inter: the sans of cards. sans: Noto Sans, the same shapes in all scripts. */
export type Style = "sans" | "serif" | "inter";
export type Weight = 400 | 700;

/** The part of a font family that is in one file. */
export interface Face {
  path: string;
  font: Font;
}

/**
 * The Noto families, each for the scripts that the families before it lack. The families of Chinese, Japanese and
 * Korean have the same Han characters in different shapes: see hanFamilies.
 */
const families = [
  "noto-sans",
  ...[
    "arabic",
    "hebrew",
    "thai",
    "armenian",
    "bengali",
    "ethiopic",
    "georgian",
    "gujarati",
    "gurmukhi",
    "kannada",
    "khmer",
    "lao",
    "malayalam",
    "myanmar",
    "sinhala",
    "tamil",
    "telugu",
  ].map((script) => `noto-sans-${script}`),
];

/**
 * The families for Han characters, in the order of preference: Japanese if the text has kana, Korean if it has Hangul,
 * else by the language.
 */
function hanFamilies(text: string, language: string): string[] {
  const [jp, kr, sc] = ["noto-sans-jp", "noto-sans-kr", "noto-sans-sc"];
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) || language.startsWith("ja")) return [jp!, sc!, kr!];
  if (/\p{Script=Hangul}/u.test(text) || language.startsWith("ko")) return [kr!, sc!, jp!];
  return [sc!, jp!, kr!];
}

/** Families by preference, and the faces that were found for characters. */
interface Preference {
  families: string[];
  found: Map<string, Face | undefined>;
}
const preferences = new Map<string, Preference>();

/** The families that come before the others. */
const first: Record<Style, string[]> = { sans: [], serif: ["noto-serif"], inter: ["inter"] };

/** Returns the families that draw a text, by preference. */
export function preferenceFor(text: string, style: Style, language: string): Preference {
  const names = [...first[style], ...families, ...hanFamilies(text, language)];
  const key = names.join();
  const known = preferences.get(key) ?? { families: names, found: new Map() };
  preferences.set(key, known);
  return known;
}

type Slice = { name: string; ranges: [from: number, to: number][] };
const slices = new Map<string, Slice[]>();
const faces = new Map<string, Face | null>();

/** Returns the face of the first family that has the character; undefined if none has. */
export function faceOf(codePoint: number, { families, found }: Preference, weight: Weight): Face | undefined {
  const key = `${codePoint} ${weight}`;
  if (!found.has(key)) found.set(key, search(codePoint, families, weight));
  return found.get(key);
}

function search(codePoint: number, families: string[], weight: Weight): Face | undefined {
  for (const family of families)
    for (const { name, ranges } of slicesOf(family)) {
      if (!ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) continue;
      const face = load(family, name, weight);
      if (face && face.font.hasGlyphForCodePoint(codePoint)) return face;
    }
  return undefined;
}

/** Reads which characters each file of a family holds. */
function slicesOf(family: string): Slice[] {
  let known = slices.get(family);
  if (!known) {
    const stated = JSON.parse(readFileSync(packages.resolve(`@fontsource/${family}/unicode.json`), "utf8")) as Record<
      string,
      string
    >;
    known = Object.entries(stated).map(([key, ranges]) => ({
      name: key.replace(/^\[(\d+)\]$/, "$1"),
      ranges: ranges.split(",").map((range) => {
        const [from, to] = range.replace("U+", "").split("-");
        return [Number.parseInt(from!, 16), Number.parseInt(to ?? from!, 16)];
      }),
    }));
    slices.set(family, known);
  }
  return known;
}

function load(family: string, slice: string, weight: Weight): Face | null {
  // WOFF, not WOFF2: fontkit can embed subsets only of WOFF.
  const path = `@fontsource/${family}/files/${family}-${slice}-${weight}-normal.woff`;
  let face = faces.get(path);
  if (face === undefined) {
    face = open(packages.resolve(path));
    faces.set(path, face);
  }
  return face;
}

/** Returns null for a file without a character map, such as the emoji file of the Chinese family. */
function open(path: string): Face | null {
  const font = create(readFileSync(path)) as Font;
  try {
    font.hasGlyphForCodePoint(0x20);
    guardLayout(font);
    return { path, font };
  } catch {
    return null;
  }
}
