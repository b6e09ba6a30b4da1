interface Box {
  /** In shares of the card's width (cqw), as all sizes here. */
  width: number;
  height: number;
  /** The size of a text that has room to spare. */
  largest: number;
  lineHeight: number;
}

const smallest = 1.4;
const step = 0.1;

/**
 * The largest size at which a text fits its box: a long name gets smaller and breaks over more lines, and none of it is
 * ever cut off. A word is broken only if it does not fit a line at half of the largest size. Estimated from the kinds of letters, so that the server and every browser find the same size.
 */
export function fitText(text: string, { width, height, largest, lineHeight }: Box): number {
  const words = text.split(/\s+/).map(emsOf);
  const whole = largestWhere((size) => Math.max(...words) * size <= width, largest, Math.max(smallest, largest / 2));
  for (let size = whole ?? largest; size > smallest; size -= step) {
    if (linesOf(words, width / size) * size * lineHeight <= height) return Math.round(size * 10) / 10;
  }
  return smallest;
}

/** The largest size, in steps down to the least, at which something holds; undefined if it holds at none. */
function largestWhere(holds: (size: number) => boolean, largest: number, least: number): number | undefined {
  for (let size = largest; size >= least; size -= step) if (holds(size)) return size;
  return undefined;
}

/** How many lines words take; one that is wider than a line is broken within. */
function linesOf(words: number[], lineEms: number): number {
  let lines = 1;
  let used = 0;
  for (const word of words) {
    if (used > 0 && used + space + word > lineEms) {
      lines++;
      used = 0;
    }
    used += (used > 0 ? space : 0) + word;
    while (used > lineEms) {
      lines++;
      used -= lineEms;
    }
  }
  return lines;
}

const space = 0.3;
const graphemes = new Intl.Segmenter("en");

/** About how wide a word is, in ems; rather too wide than too narrow. */
function emsOf(word: string): number {
  let ems = 0;
  if (isAscii.test(word)) {
    for (let i = 0; i < word.length; i++) ems += emsOfAscii[word.charCodeAt(i)]!;
    return ems;
  }
  for (const { segment } of graphemes.segment(word)) ems += emsOfGrapheme(segment);
  return ems;
}

const isAscii = /^[\0-\x7f]*$/;

function emsOfGrapheme(grapheme: string): number {
  if (/[\p{Emoji_Presentation}\u{fe0f}]/u.test(grapheme)) return 1.4;
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u{ff00}-\u{ffef}]/u.test(grapheme))
    return 1.05;
  if (/[\p{Lu}MWmw@%—]/u.test(grapheme)) return 0.85;
  return /[\p{Script=Latin}\p{N}\p{P}]/u.test(grapheme) ? 0.58 : 0.75;
}

/** Looked up, since segmenting most names would take a tenth of the time of a page. */
const emsOfAscii = Array.from({ length: 128 }, (_, code) => emsOfGrapheme(String.fromCharCode(code)));
