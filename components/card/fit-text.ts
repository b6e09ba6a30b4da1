interface Box {
  /** All sizes are shares of the card's width (cqw). */
  width: number;
  height: number;
  /** The size of a text that fits easily. */
  largest: number;
  lineHeight: number;
}

const smallest = 1.4;
const step = 0.1;

/**
 * The largest size at which a text fits its box. A long name gets smaller and breaks over more lines, and is never cut
 * off. A word is broken only if it does not fit a line at half of the largest size. Widths are estimated from the kinds
 * of letters, so that the server and every browser find the same size.
 */
export function fitText(text: string, { width, height, largest, lineHeight }: Box): number {
  const words = text.split(/\s+/).map(emsOf);
  const whole = largestWhere((size) => Math.max(...words) * size <= width, largest, Math.max(smallest, largest / 2));
  for (let size = whole ?? largest; size > smallest; size -= step) {
    if (linesOf(words, width / size) * size * lineHeight <= height) return Math.round(size * 10) / 10;
  }
  return smallest;
}

/** Returns the largest size for which a condition holds, in steps down to the smallest; undefined if there is none. */
function largestWhere(holds: (size: number) => boolean, largest: number, least: number): number | undefined {
  for (let size = largest; size >= least; size -= step) if (holds(size)) return size;
  return undefined;
}

/** Counts the lines of words. A word that is wider than a line is broken. */
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

/** Estimates the width of a word in ems, rather too wide than too narrow. */
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

/** Created once, because segmenting most names would take a tenth of the time of a page. */
const emsOfAscii = Array.from({ length: 128 }, (_, code) => emsOfGrapheme(String.fromCharCode(code)));
