import { DomainError } from "@/server/core/errors";
import { RefusedRow } from "@/server/core/refused-row";
import { parseJsonObject, refuseUnstorable } from "./json";

/**
 * Parses the body of a bulk request: an object with a list of rows. A row with a value that would be changed by parsing
 * or cannot be stored becomes a RefusedRow, because a bad row must not affect others (contract section 7). Invalid
 * JSON, or a bad value outside the rows, refuses the whole request.
 * @throws DomainError as parseJsonObject
 */
export function parseJsonRows(json: Uint8Array, list: string): Record<string, unknown> {
  try {
    return parseJsonObject(json);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === "malformed_json") throw error;
    const text = Buffer.from(json).toString();
    requireJson(text);
    const found = findRows(text, list);
    if (!found) throw error;
    const body = parseJsonObject(Buffer.from(text.slice(0, found.start) + text.slice(found.end)));
    return { ...body, [list]: found.rows.map(parseRow) };
  }
}

/** A bad row may precede invalid JSON, so check that the whole text is JSON first. */
function requireJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new DomainError("malformed_json", `The body is not valid JSON: ${(error as Error).message}`);
  }
}

function parseRow(text: string): unknown {
  try {
    if (text.startsWith("{")) return parseJsonObject(Buffer.from(text));
    // The operation refuses a row that is no object later; until then a queued job may store it.
    const value = JSON.parse(text) as unknown;
    refuseUnstorable(value);
    return value;
  } catch (error) {
    if (error instanceof DomainError && error.code === "invalid_request") return new RefusedRow(error);
    throw error;
  }
}

/**
 * Finds the elements of the list `list` in the text of an object: their texts, and start and end of what is between the
 * list's brackets. The text must be valid JSON.
 */
function findRows(text: string, list: string): { start: number; end: number; rows: string[] } | undefined {
  let depth = 0;
  let key: string | undefined;
  let found: { start: number; rows: string[]; from: number } | undefined;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (character === '"') {
      const start = index++;
      while (text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
      if (depth === 1 && !found) key = JSON.parse(text.slice(start, index + 1)) as string;
    } else if (character === "[" || character === "{") {
      depth++;
      if (depth === 2 && character === "[" && key === list) found = { start: index + 1, rows: [], from: index + 1 };
    } else if (character === "]" || character === "}") {
      depth--;
      if (found && depth === 1) {
        const last = text.slice(found.from, index).trim();
        return { start: found.start, end: index, rows: last === "" ? found.rows : [...found.rows, last] };
      }
    } else if (character === "," && found && depth === 2) {
      found.rows.push(text.slice(found.from, index).trim());
      found.from = index + 1;
    }
  }
  return undefined;
}
