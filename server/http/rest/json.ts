import { DomainError } from "@/server/core/errors";
import { invalidInput } from "@/server/core/input";
import { jsonPointer } from "@/server/core/json-pointer";

/**
 * Canonicalising, writing and storing JSON recurse, so deeper JSON could exhaust the stack. No valid input is deeper.
 */
const maxDepth = 64;

/**
 * Most members of one object. V8 takes seconds for an object of 400,000 different keys; the 64 KiB of attributes hold
 * about 10,000.
 */
const maxMembers = 20_000;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON object and refuses what JavaScript or PostgreSQL would change silently
 * (docs/decisions/131-json-exactly.md).
 * @throws DomainError `malformed_json`; `invalid_request` for inexact numbers, repeated keys and text that cannot be
 * stored.
 */
export function parseJsonObject(json: Uint8Array): Record<string, unknown> {
  const members = scanJson(json);
  const [text, value] = parse(json);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DomainError("malformed_json", "The body must be a JSON object.");
  // JSON.parse keeps only the last of several members with the same name, so fewer are left than the text has.
  if (countMembers(value) !== members) throw repeatedKey(text);
  // PostgreSQL stores neither NUL nor lone surrogates. In UTF-8 both can come only as escapes, so most bodies need no
  // walk.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) refuseUnstorable(value);
  return value as Record<string, unknown>;
}

function parse(json: Uint8Array): [text: string, value: unknown] {
  try {
    const text = decoder.decode(json);
    return [text, JSON.parse(text)];
  } catch (error) {
    throw new DomainError("malformed_json", `The body is not valid JSON in UTF-8: ${(error as Error).message}`);
  }
}

/**
 * Checks the bytes of a JSON text in one pass, before it is parsed.
 * @returns the number of members of all its objects.
 * @throws DomainError `malformed_json` for more than 64 levels; `invalid_request` for an object with too many members
 * or a number that a double does not hold exactly.
 */
export function scanJson(json: Uint8Array): number {
  let depth = 0;
  let members = 0;
  const ofLevel = new Uint32Array(maxDepth + 1);
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (quoted) {
      if (byte === 0x5c)
        i++; // a backslash escapes the next byte
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x3a) {
      members++;
      if (++ofLevel[Math.max(0, depth)]! > maxMembers) refuseMembers(json, i);
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxDepth)
        throw new DomainError("malformed_json", `The body is nested more than ${maxDepth} levels deep.`);
      ofLevel[Math.max(0, depth)] = 0;
    } else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (isDigit(byte)) {
      const end = endOfNumber(json, i);
      if (json[i - 1] === 0x2d && isZero(json, i, end)) throw negativeZero(json, i - 1);
      if (!isShortInteger(json, i, end)) refuseInexact(json, json[i - 1] === 0x2d ? i - 1 : i, end);
      i = end - 1;
    }
  }
  return members;
}

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

/** Returns the index after the last digit, sign, point or exponent mark. */
function endOfNumber(json: Uint8Array, start: number): number {
  let end = start + 1;
  for (; end < json.length; end++) {
    const byte = json[end]!;
    if (!isDigit(byte) && byte !== 0x2e && byte !== 0x2b && byte !== 0x2d && byte !== 0x45 && byte !== 0x65) break;
  }
  return end;
}

/** Whether the number is at most 15 digits and nothing else. It is then below 2^53; nearly all numbers are. */
function isShortInteger(json: Uint8Array, start: number, end: number): boolean {
  if (end - start > 15) return false;
  for (let i = start; i < end; i++) if (!isDigit(json[i]!)) return false;
  return true;
}

/** Whether all digits before an exponent are 0. */
function isZero(json: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = json[i]!;
    if (byte === 0x45 || byte === 0x65) break;
    if (byte !== 0x30 && byte !== 0x2e) return false;
  }
  return true;
}

/** PostgreSQL stores numbers without the sign of zero. */
function negativeZero(json: Uint8Array, start: number): DomainError {
  return invalidInput([
    {
      pointer: jsonPointer(pathAt(json, start)),
      code: "inexact_number",
      message: "holds the number -0, whose sign would be lost; send 0, or send it as a string",
    },
  ]);
}

function refuseMembers(json: Uint8Array, index: number): never {
  throw invalidInput([
    {
      pointer: jsonPointer(pathAt(json, index).slice(0, -1)),
      code: "too_big",
      message: `must have at most ${maxMembers} members`,
    },
  ]);
}

function refuseInexact(json: Uint8Array, start: number, end: number): void {
  const text = Buffer.from(json.buffer, json.byteOffset + start, end - start).toString("latin1");
  const value = Number(text);
  if (Number.isNaN(value)) return; // no number; JSON.parse says so
  const beyond = Math.abs(value) > Number.MAX_SAFE_INTEGER;
  if (!beyond && decimal(text) === decimal(String(value))) return;
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const why = beyond
    ? "is beyond ±(2^53 − 1) and would be rounded"
    : "has more digits than a double holds and would be rounded";
  throw invalidInput([
    {
      pointer: jsonPointer(pathAt(json, start)),
      code: "inexact_number",
      message: `holds the number ${shown}, which ${why}; send it as a string`,
    },
  ]);
}

/** Normalises a decimal number to its significant digits and the power of ten of the last one. */
function decimal(text: string): string {
  const [, whole, fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  let last = digits.length;
  while (digits[last - 1] === "0") last--;
  return last === 0 ? "0" : `${digits.slice(0, last)}e${Number(exponent) - fraction.length + digits.length - last}`;
}

function countMembers(value: object): number {
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value))
    if (typeof inner === "object" && inner !== null) count += countMembers(inner as object);
  return count;
}

function repeatedKey(text: string): DomainError {
  const path = findPath(text, ({ repeated }) => repeated);
  if (!path) return new DomainError("malformed_json", "The body has an object with the same key twice.");
  return invalidInput([
    {
      pointer: jsonPointer(path),
      code: "repeated",
      message: "is given twice in one object; which one is meant cannot be known",
    },
  ]);
}

/** Returns the keys and indexes that lead to the value at a byte of JSON, which need not be valid UTF-8. */
function pathAt(json: Uint8Array, byte: number): (string | number)[] {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const start = bytes.toString("utf8", 0, byte).length;
  return findPath(bytes.toString(), ({ index }) => index >= start) ?? [];
}

interface Level {
  /** Keys seen so far; null for an array. */
  names: Set<string> | null;
  /** Key or index of the member or element that is being read. */
  at: string | number;
}

interface Token {
  index: number;
  /** Whether the token is a key that its object has already had. */
  repeated: boolean;
}

/**
 * Walks JSON that is to be refused, up to the first key or value for which `isMeant` is true. One pass, linear in the
 * length of the text; the JSON may be invalid.
 * @returns the keys and indexes that lead there.
 */
function findPath(text: string, isMeant: (token: Token) => boolean): (string | number)[] | undefined {
  const levels: Level[] = [];
  const path = () => levels.map(({ at }) => at);
  for (let index = 0; index < text.length; index++) {
    const level = levels.at(-1);
    const character = text[index]!;
    if (character === "{") levels.push({ names: new Set(), at: "" });
    else if (character === "[") levels.push({ names: null, at: 0 });
    else if (character === "}" || character === "]") levels.pop();
    else if (character === ",") {
      if (typeof level?.at === "number") level.at++;
    } else if (character === '"') {
      const end = endOfString(text, index);
      const isKey = level?.names && afterSpace(text, end) === ":";
      if (isKey) level.at = unquote(text.slice(index, end));
      if (isMeant({ index, repeated: Boolean(isKey && level.names!.has(String(level.at))) })) return path();
      if (isKey) level.names!.add(String(level.at));
      index = end - 1;
    } else if (!separators.has(character)) {
      if (isMeant({ index, repeated: false })) return path();
      while (index + 1 < text.length && !delimiters.has(text[index + 1]!)) index++;
    }
  }
  return undefined;
}

const separators = new Set([":", " ", "\t", "\n", "\r"]);
const delimiters = new Set([...separators, ",", '"', "[", "]", "{", "}"]);

/** Returns the index after the closing quote of a string. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return Math.min(end + 1, text.length);
}

function afterSpace(text: string, start: number): string | undefined {
  let index = start;
  while (" \t\n\r".includes(text[index] ?? "x")) index++;
  return text[index];
}

function unquote(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}

/** @throws DomainError `invalid_request` if a key or text anywhere in the value cannot be stored in PostgreSQL. */
export function refuseUnstorable(value: unknown): void {
  const path = pathOfUnstorable(value);
  if (!path) return;
  throw invalidInput([
    {
      pointer: jsonPointer(path),
      code: "unstorable_text",
      message: "holds a NUL character or half of a surrogate pair, which cannot be stored",
    },
  ]);
}

/** Returns the path to a text that cannot be stored, or to the object that has such a key. */
function pathOfUnstorable(value: unknown): string[] | undefined {
  if (typeof value === "string") return isStorable(value) ? undefined : [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return [];
    const path = pathOfUnstorable(inner);
    if (path) return [key, ...path];
  }
  return undefined;
}

const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** @throws DomainError `malformed_request` for NUL characters and unpaired surrogates. */
export function refuseText(text: string): void {
  if (!isStorable(text)) {
    throw new DomainError(
      "malformed_request",
      "The request holds a NUL character or half of a surrogate pair, which cannot be stored.",
    );
  }
}
