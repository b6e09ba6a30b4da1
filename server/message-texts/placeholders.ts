/** What a text can hold for the service to fill in, with what each stands for. */
export const placeholders = {
  name: "the holder's name",
  title: "what the credential is called",
  issuer: "the organisation's name",
  link: "the link to the credential's page",
  validFrom: "when it becomes valid, if it is not valid yet",
  expires: "the last day on which it is valid, if it ends",
  reason: "why it was suspended or revoked, if a reason was given",
} as const;
export type Placeholder = keyof typeof placeholders;
export type Values = Record<Placeholder, string | null>;

const token = /\{\{\s*([^{}]*?)\s*\}\}/g;
const known = Object.keys(placeholders) as Placeholder[];
const isKnown = (name: string): name is Placeholder => (known as string[]).includes(name);

/** Why the placeholders of a text cannot be filled in, for its author; null if they can. */
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

/** A piece of a line: text of its author, or a filled-in value. */
export type Piece = { text: string } | { placeholder: Placeholder; value: string };

/** Fills in one line. Null if one of its placeholders has no value: the line is left out. */
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

/** Fills in a text on one line. Null if one of its placeholders has no value. */
export function filled(line: string, values: Values): string | null {
  return fillLine(line, values)?.map(plain).join("") ?? null;
}

export const plain = (piece: Piece): string => ("text" in piece ? piece.text : piece.value);

/**
 * Fills in a body and splits it into paragraphs, which blank lines separate. A line with a placeholder that has no value
 * is left out, such as "It is valid through {{expires}}." of a credential that never ends.
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
