/**
 * Guards cells of CSV against formulas (CSV injection, OWASP): spreadsheets run a cell that begins with one of these
 * characters as a formula, also behind spaces and quotes. An apostrophe before it makes it text.
 */
const starters = new Set("=+-@|＝＋－＠");

/** What may stand before a starter. An apostrophe is among them, so that a guard of the text itself is guarded once more. */
const isSkipped = (character: string) => character === "'" || character === '"' || /\s/.test(character);

const isBreak = (character: string | undefined) =>
  character === ";" || character === "\t" || character === "\r" || character === "\n";

const wholeNumber = /^[+-]?\d+(?:\.\d+)?$/;
const numberAt = / *[+-]?\d+(?:\.\d+)?(?=[;\t\r\n]|$)/y;

/**
 * Puts an apostrophe before what a spreadsheet could run: at the beginning, and after each semicolon, tab and line break,
 * since a program that separates columns by semicolons ignores quotes in the middle of a column, so a cell begins there.
 * Plain numbers such as -5 stay as they are. withoutGuard takes exactly these apostrophes off again.
 */
export function guarded(text: string): string {
  if (!mayRun(text) || wholeNumber.test(text)) return text;
  return rewrite(text, (at) => (at > 0 && isNumberAt(text, at) ? text[at]! : `'${text[at]!}`));
}

/** The text that guarded was given. Text without a guard comes back as it is, but for an apostrophe before a starter. */
export function withoutGuard(text: string): string {
  if (!text.includes("'") || !mayRun(text)) return text;
  return rewrite(text, (at) => (text[at] === "'" ? "" : text[at]!));
}

const mayRun = (text: string) => /[=+\-@|＝＋－＠]|^[\s"']*[\t\r]/.test(text);

function isNumberAt(text: string, at: number): boolean {
  numberAt.lastIndex = at;
  return numberAt.test(text);
}

/** Replaces each character at which a program could see the beginning of a formula. One pass, from the end. */
function rewrite(text: string, replace: (at: number) => string): string {
  const found: number[] = [];
  let runs = false;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text[at]!;
    runs = starters.has(character) || (runs && isSkipped(character));
    if (runs && at > 0 && isBreak(text[at - 1])) found.push(at);
  }
  if (text !== "" && (runs || /^[\s"']*[\t\r]/.test(text))) found.push(0);
  let result = "";
  let done = 0;
  for (const at of found.reverse()) {
    result += text.slice(done, at) + replace(at);
    done = at + 1;
  }
  return result + text.slice(done);
}
