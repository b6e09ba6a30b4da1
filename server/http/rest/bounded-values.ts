import { DomainError } from "@/server/core/errors";

/**
 * Most JSON values of a body whose operation sets no other limit. 64 KiB of attributes and 64 KiB of data together hold
 * at most 65,536.
 */
export const usualValues = 80_000;

/** Most JSON values of a bulk request: 10,000 rows of 25, or 1,000 of 250. */
export const bulkValues = 250_000;

/**
 * Refuses JSON with too many values before anything is parsed: a list of nested lists costs thousands of times more to
 * parse, check and copy than its bytes suggest (decision 365). Stops at the first value above the limit. The JSON may
 * be invalid.
 * @param maxValues objects, lists, texts, numbers, booleans and nulls, at every level
 * @throws DomainError `payload_too_large`
 */
export function refuseManyValues(json: Uint8Array, maxValues: number): void {
  // A value takes at least two bytes: itself and a comma, or two brackets.
  if (json.length <= 2 * maxValues) return;
  let values = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]!;
    if (byte === quote) {
      i = closingQuote(json, i);
      values++;
    } else if (byte === colon)
      values--; // the text before it is a key
    else if (byte === openList || byte === openObject) values++;
    else if (isScalar(byte)) {
      values++;
      while (isScalar(json[i + 1])) i++;
    }
    // A text may be a key, which a colon takes back: so check the limit only at the byte after the text.
    if (values > maxValues && byte !== quote)
      throw new DomainError(
        "payload_too_large",
        `The body has more than ${maxValues.toLocaleString("en")} JSON values, counted at all levels, which is the most that is read here. Send less at a time.`,
      );
  }
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openList = 0x5b;
const openObject = 0x7b;

function closingQuote(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}

/** Whether the byte can be part of a number, true, false or null. */
const isScalar = (byte: number | undefined) =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45);
