import {
  parse,
  type MemberNode,
  type NumberNode,
  type ObjectNode,
  type StringNode,
  type ValueNode,
} from "@humanwhocodes/momoa";
import type { Problem } from "@/components/problem";

/** The keys and indexes that lead to a value. */
export type Path = readonly (string | number)[];

/** Says for people why a text is not a JSON object that can be stored, and where. */
export class UnreadableObject extends Error {}

export interface ReadObject {
  value: Record<string, unknown>;
  /** The line of a member, counted from 1. */
  lineOf(path: Path): number;
}

/**
 * Reads a JSON object that a person typed. JSON.parse keeps one of two members with the same name and rounds numbers.
 * This function refuses both, as the server does (server/http/rest/json.ts), which would see only the parsed object. An
 * empty text is an object without members.
 *
 * @throws UnreadableObject
 */
export function readObject(text: string): ReadObject {
  if (!text.trim()) return { value: {}, lineOf: () => 1 };
  const root = syntaxOf(text);
  if (root.type !== "Object") throw new UnreadableObject('This must be a JSON object, such as {"box": 7}.');
  refuseWhatIsLost(root, text);
  return { value: JSON.parse(text) as Record<string, unknown>, lineOf: (path) => lineOf(root, path) };
}

/** Does the same as readObject, but returns null for a text that cannot be read. */
export function tryRead(text: string): Record<string, unknown> | null {
  try {
    return readObject(text).value;
  } catch {
    return null;
  }
}

/**
 * Returns the error of a text for its form field.
 *
 * @throws any error that is not an UnreadableObject
 */
export function unreadable(field: string, error: unknown): Problem {
  if (!(error instanceof UnreadableObject)) throw error;
  const { message } = error;
  return {
    status: 400,
    code: "invalid_request",
    title: "This cannot be kept as it is",
    detail: message,
    errors: [{ pointer: `/${field}`, code: "invalid_format", message }],
  };
}

function syntaxOf(text: string): ValueNode {
  try {
    return parse(text, { mode: "json", ranges: true }).body;
  } catch (error) {
    throw new UnreadableObject(whereUnreadable(error as Error & { line: number; offset: number }, text));
  }
}

function whereUnreadable({ message, line, offset }: Error & { line: number; offset: number }, text: string): string {
  // Within a list, the parser points to the last token instead.
  const isLast =
    /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)\s*$/.test(text.slice(offset)) && !/[\]}]\s*$/.test(text.slice(0, offset));
  if (message.includes("end of input") || (isLast && message.includes("token")))
    return `Line ${text.trimEnd().split("\n").length}: the text ends too early. A closing bracket or quote is missing.`;
  const found = text.slice(offset).match(/^(?:[\p{L}\p{N}_.+-]+|[^])/u)?.[0] ?? "";
  const advice = /[“”„‘’']/.test(found)
    ? "Use straight double quotes."
    : /^\p{L}/u.test(found)
      ? "Names and text stand in double quotes."
      : "Look for a comma, colon or bracket that is missing or too many.";
  return `Line ${line}: ${found} is not expected here. ${advice}`;
}

function refuseWhatIsLost(node: ValueNode, text: string): void {
  if (node.type === "Array") for (const { value } of node.elements) refuseWhatIsLost(value, text);
  if (node.type === "Number") refuseRounded(node, text.slice(...node.range!));
  if (node.type === "String") refuseUnstorable(node, text);
  if (node.type !== "Object") return;
  const lines = new Map<string, number>();
  for (const member of node.members) {
    const [name, line] = [nameOf(member), member.loc.start.line];
    const before = lines.get(name);
    if (before !== undefined)
      throw new UnreadableObject(
        `Line ${line}: ${JSON.stringify(name)} stands on line ${before} already, and only one of them can be kept. Remove or rename one.`,
      );
    lines.set(name, line);
    if (member.name.type === "String") refuseUnstorable(member.name, text);
    refuseWhatIsLost(member.value, text);
  }
}

function refuseRounded({ value, loc }: NumberNode, written: string): void {
  const line = `Line ${loc.start.line}`;
  const shown = written.length > 40 ? `${written.slice(0, 40)}…` : written;
  const asText = written.length > 40 ? "Write it as text, in quotes." : `Write it as text: "${written}".`;
  if (Object.is(value, -0)) throw new UnreadableObject(`${line}: ${shown} would lose its sign. Write 0, or text.`);
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new UnreadableObject(
      `${line}: the number ${shown} is beyond 9,007,199,254,740,991 and would be rounded. ${asText}`,
    );
  if (significant(written) !== significant(String(value)))
    throw new UnreadableObject(`${line}: the number ${shown} has more digits than can be kept. ${asText}`);
}

/** Normalises the spelling of a decimal number: 1.50 and 15e-1 have the same value. */
function significant(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().replace("-", "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const trimmed = digits.replace(/0+$/, "");
  return trimmed && `${trimmed}e${Number(exponent) - fraction.length + digits.length - trimmed.length}`;
}

function refuseUnstorable({ value, range, loc }: StringNode, text: string): void {
  const line = `Line ${loc.start.line}`;
  // The parser lets them pass, JSON does not.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f]/.test(text.slice(...range!)))
    throw new UnreadableObject(`${line}: a text holds a line break or a tab. Write \\n or \\t instead.`);
  if (value.includes("\0") || !value.isWellFormed())
    throw new UnreadableObject(`${line}: a text holds a character that cannot be stored. Remove it.`);
}

const nameOf = ({ name }: MemberNode) => (name.type === "String" ? name.value : name.name);

/** Returns the line of the member or element at a path; if there is none, that of the nearest element around it. */
function lineOf(root: ObjectNode, path: Path): number {
  let line = root.loc.start.line;
  let node: ValueNode | undefined = root;
  for (const step of path) {
    if (node?.type === "Object") {
      const member: MemberNode | undefined = node.members.find((each) => nameOf(each) === step);
      line = member?.loc.start.line ?? line;
      node = member?.value;
    } else if (node?.type === "Array") {
      node = node.elements[Number(step)]?.value;
      line = node?.loc.start.line ?? line;
    } else break;
  }
  return line;
}
