import { Invalid } from "./failure";
import type { Json } from "./json";

/**
 * Parses JSON of strangers. An object with one member twice is refused: JSON.parse takes the last and other programs the
 * first, so the same signed bytes would state two things (RFC 8259, section 4).
 * @throws SyntaxError for a text that is not JSON; Invalid for a repeated member
 */
export function parseStrictly(text: string): Json {
  const value = JSON.parse(text) as Json;
  if (countMembers(value) !== writtenMembers(text))
    throw new Invalid(
      "The document states something twice: an object in it has two members of one name. Which of the two is meant cannot be known.",
    );
  return value;
}

/** The number of members that a text writes: its colons outside of strings. The text must be JSON. */
function writtenMembers(text: string): number {
  let members = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (isQuoted) {
      if (character === backslash) i++;
      else if (character === quote) isQuoted = false;
    } else if (character === quote) isQuoted = true;
    else if (character === colon) members++;
  }
  return members;
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];

/** The number of members that are left. Iterative, because the depth of the document is not bounded yet. */
function countMembers(value: Json): number {
  let members = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const values = Object.values(next);
    if (!Array.isArray(next)) members += values.length;
    for (const each of values) if (typeof each === "object" && each !== null) open.push(each);
  }
  return members;
}
