/**
 * Guards cells of CSV against formulas (CSV injection, OWASP): spreadsheets execute a cell that begins with one of
 * these characters as a formula, even after spaces and quotes. An apostrophe before it makes it text.
 */
const starters = new Set("=+-@|＝＋－＠");

/**
 * Characters that may precede a starter. An apostrophe is one of them, so that a guard within the text itself gets
 * another guard.
 */
const isSkipped = (character: string) => character === "'" || character === '"' || /\s/.test(character);

const isBreak = (character: string | undefined) =>
  character === ";" || character === "\t" || character === "\r" || character === "\n";

const wholeNumber = /^[+-]?\d+(?:\.\d+)?$/;
const numberAt = / *[+-]?\d+(?:\.\d+)?(?=[;\t\r\n]|$)/y;

/**
 * Adds an apostrophe before anything that a spreadsheet could execute: at the beginning, and after each semicolon, tab
 * and line break, because a program that separates columns by semicolons ignores quotes in the middle of a column, so a
 * cell begins there. Plain numbers such as -5 stay unchanged. withoutGuard removes exactly these apostrophes.
 */
export function guarded(text: string): string {
  if (!mayRun(text) || wholeNumber.test(text)) return text;
  return rewrite(text, (at) => (at > 0 && isNumberAt(text, at) ? text[at]! : `'${text[at]!}`));
}

/**
 * Restores the text before `guarded`. Text without a guard is returned unchanged, except for an apostrophe before a
 * starter.
 */
export function withoutGuard(text: string): string {
  if (!text.includes("'") || !mayRun(text)) return text;
  return rewrite(text, (at) => (text[at] === "'" ? "" : text[at]!));
}

const mayRun = (text: string) => /[=+\-@|＝＋－＠]|^[\s"']*[\t\r]/.test(text);

function isNumberAt(text: string, at: number): boolean {
  numberAt.lastIndex = at;
  return numberAt.test(text);
}

/** Replaces each character that a program could read as the beginning of a formula. One pass, from the end. */
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
