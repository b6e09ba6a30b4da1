import { runsOf, widthOf, type Run, type TextStyle } from "./runs";

export interface Box extends TextStyle {
  width: number;
  height: number;
  /** Font sizes, in the unit of the width. */
  largest: number;
  smallest: number;
}

export interface Line {
  runs: Run[];
  width: number;
}

/** The distance of two baselines, as a share of the font size. */
export const lineHeight = 1.22;

export interface Fitted {
  size: number;
  lines: Line[];
}

const step = 0.94;

/**
 * Breaks a text into lines at the largest size at which they fit the box. Only at the smallest size, words are broken,
 * and text that still does not fit ends with an ellipsis.
 */
export function fitLines(text: string, box: Box): Fitted {
  const pieces = piecesOf(text.trim(), box.language);
  for (let size = box.largest; ; size = Math.max(box.smallest, size * step)) {
    const most = Math.max(1, Math.floor((box.height / size - 1) / lineHeight + 1));
    const isLast = size <= box.smallest;
    if (!isLast && pieces.some((piece) => !fits(piece.trimEnd(), box, size))) continue;
    const lines = broken(pieces, box, size);
    if (lines.length <= most || isLast) return { size, lines: cut(lines, most, box, size).map(measured(box, size)) };
  }
}

/** Scripts that do not separate words by spaces. */
const spaceless =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const between = new RegExp(`[${spaceless}]\\p{M}*\\n[${spaceless}]`, "u");

/** Splits a text at possible line ends: after spaces, and between words of scripts without spaces. */
function piecesOf(text: string, language: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of new Intl.Segmenter(language, { granularity: "word" }).segment(text)) {
    const last = pieces.at(-1);
    const mayBreak = last === undefined || (/\s$/.test(last) && segment.trim()) || between.test(`${last}\n${segment}`);
    if (mayBreak) pieces.push(segment);
    else pieces[pieces.length - 1] = last + segment;
  }
  return pieces;
}

const measured =
  (style: TextStyle, size: number) =>
  (text: string): Line => {
    const runs = runsOf(text, style);
    return { runs, width: widthOf(runs) * size };
  };

const fits = (text: string, box: Box, size: number) => widthOf(runsOf(text, box)) * size <= box.width;

function broken(pieces: string[], box: Box, size: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const piece of pieces) {
    if (fits((line + piece).trimEnd(), box, size)) {
      line += piece;
      continue;
    }
    if (line.trim()) lines.push(line.trim());
    line = piece.trimStart();
    // A word that is wider than the box is broken at the edge of the box.
    while (!fits(line, box, size)) {
      const head = longestThatFits(line, box, size);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  if (line.trim()) lines.push(line.trim());
  return lines.length > 0 ? lines : [""];
}

function longestThatFits(text: string, box: Box, size: number, end = ""): string {
  const characters = [...new Intl.Segmenter(box.language).segment(text)].map(({ segment }) => segment);
  let [from, to] = [1, characters.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (fits(characters.slice(0, middle).join("") + end, box, size)) from = middle;
    else to = middle - 1;
  }
  return characters.slice(0, from).join("");
}

function cut(lines: string[], most: number, box: Box, size: number): string[] {
  if (lines.length <= most) return lines;
  const kept = lines.slice(0, most);
  const last = lines.slice(most - 1).join(" ");
  kept[kept.length - 1] = `${longestThatFits(last, box, size, "…").trimEnd()}…`;
  return kept;
}
