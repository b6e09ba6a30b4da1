/** The placeholders that a text can contain, with their meaning as the console shows it. */
export const placeholders = {
  name: "the holder's name",
  title: "the title of the credential",
  issuer: "the organisation's name",
  link: "the link to the credential's page",
  validFrom: "the first day on which it is valid, if it is not valid yet",
  expires: "the last day on which it is valid, if it expires",
  reason: "why it was suspended or revoked, if a reason was given",
} as const;
export type Placeholder = keyof typeof placeholders;
export type Values = Record<Placeholder, string | null>;

const token = /\{\{\s*([^{}]*?)\s*\}\}/g;
const known = Object.keys(placeholders) as Placeholder[];
const isKnown = (name: string): name is Placeholder => (known as string[]).includes(name);

/** What is wrong with the placeholders of a text, as a message for its author; null if nothing is. */
export function placeholderProblem(text: string): string | null {
  const unknown = [...text.matchAll(token)].map(([, name]) => name!).find((name) => !isKnown(name));
  const list = known.map((name) => `{{${name}}}`).join(", ");
  if (unknown !== undefined) return `has the unknown placeholder {{${unknown}}}. Known placeholders: ${list}`;
  return /\{\{|\}\}/.test(text.replaceAll(token, ""))
    ? `has {{ or }} without the other. Write a placeholder as one of ${list}`
    : null;
}

/** Whether a text holds a placeholder. */
export const holdsPlaceholder = (text: string, name: Placeholder): boolean =>
  [...text.matchAll(token)].some(([, each]) => each === name);

/** A part of a line: the author's own text, or the value of a placeholder. */
export type Piece = { text: string } | { placeholder: Placeholder; value: string };

/** Fills in one line. Null if one of its placeholders has no value; the line is then left out. */
export function fillLine(line: string, values: Values): Piece[] | null {
  const pieces: Piece[] = [];
  let at = 0;
  for (const found of line.matchAll(token)) {
    if (found.index > at) pieces.push({ text: line.slice(at, found.index) });
    const placeholder = found[1] as Placeholder;
    const value = values[placeholder];
    if (value === null) return null;
    pieces.push({ placeholder, value });
    at = found.index + found[0].length;
  }
  if (at < line.length) pieces.push({ text: line.slice(at) });
  return pieces;
}

/** Fills in one line as plain text. Null if one of its placeholders has no value. */
export function filled(line: string, values: Values): string | null {
  return fillLine(line, values)?.map(plain).join("") ?? null;
}

export const plain = (piece: Piece): string => ("text" in piece ? piece.text : piece.value);

/**
 * Fills in a body and splits it into paragraphs at blank lines. Leaves out lines with a placeholder that has no value, such
 * as "It is valid through {{expires}}." for a credential that never expires.
 */
export function fillParagraphs(body: string, values: Values): Piece[][][] {
  return body
    .split(/\n[^\S\n]*\n/)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .filter((line) => line.trim() !== "")
        .flatMap((line) => {
          const pieces = fillLine(line.trim(), values);
          return pieces ? [pieces] : [];
        }),
    )
    .filter((lines) => lines.length > 0);
}
