import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { DomainError } from "./errors";
import { keyText, type Id } from "./ids";
import { invalidInput, wholeNumber } from "./input";
import { deriveKeys } from "./secrets";

/** The query of every list: `limit` 1 to 100, and `cursor` or `offset` (spec section 8). Spread into a list's input. */
export const page = {
  limit: wholeNumber(1, 100)
    .default(25)
    .meta({ override: { type: "integer", minimum: 1, maximum: 100, default: 25 }, description: "Items a page." }),
  cursor: z.string().max(2000).optional().meta({ description: "The nextCursor of the page before." }),
  offset: wholeNumber(0, 1_000_000_000)
    .optional()
    .meta({
      override: { type: "integer", minimum: 0 },
      description: "Items to skip; the answer then has total. Not together with cursor.",
    }),
};

/** The same in a body of JSON, where a text is no number. */
export const bodyPage = {
  limit: number(1, 100)
    .default(25)
    .meta({ override: { type: "integer", minimum: 1, maximum: 100, default: 25 }, description: "Items a page." }),
  cursor: page.cursor,
  offset: number(0, 1_000_000_000)
    .optional()
    .meta({
      override: { type: "integer", minimum: 0 },
      description: "Items to skip; the answer then has total. Not together with cursor.",
    }),
};

function number(min: number, max: number) {
  return z
    .custom<number>(
      (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
      `must be a whole number from ${min} to ${max}, and no text`,
    )
    .meta({ override: { type: "integer", minimum: min } });
}

export interface PageInput {
  limit: number;
  cursor?: string | undefined;
  offset?: number | undefined;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
  total?: number;
}

/** The list envelope of spec 2.4. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    data: z.array(item),
    nextCursor: z.string().nullable().meta({ description: "Pass as cursor for the next page; null on the last." }),
    total: z.int().optional().meta({ description: "With offset alone." }),
  });

let keys: Buffer[] | undefined;
/** The signature with the current master secret, then the one with the previous secret, if that is configured. */
const signatures = (payload: string, binding: string): Buffer[] =>
  (keys ??= deriveKeys("cursor")).map((key) =>
    createHmac("sha256", key).update(`${binding}\n${payload}`).digest().subarray(0, 12),
  );

/**
 * The rows of a page, in the order of the list: `after` is the sort key of the last row seen, `take` the number of rows
 * to read, `skip` the number to leave out.
 */
export interface Range {
  after: string | null;
  take: number;
  skip: number;
}

interface Listing<Row> {
  /**
   * Everything that a cursor depends on: the organisation, the list, its filters and sort. A cursor from another list
   * is refused.
   */
  binding: unknown[];
  fetch(range: Range): Promise<Row[]>;
  /** Called only with `offset`. */
  count(): Promise<number>;
  keyOf(row: NoInfer<Row>): string | Id;
}

/** Reads a page by key: reads one row more than the page holds, and signs the position in the cursor. */
export async function paginate<Row>(
  input: PageInput,
  { binding, fetch, count, keyOf }: Listing<Row>,
): Promise<Page<Row>> {
  const { limit, cursor, offset } = input;
  if (cursor !== undefined && offset !== undefined) {
    throw invalidInput([
      { pointer: "/cursor", code: "exclusive", message: "cannot be sent together with offset; send one of them" },
    ]);
  }
  const bound = JSON.stringify(binding);
  const after = cursor === undefined ? null : readCursor(cursor, bound);
  const [rows, total] = await Promise.all([
    fetch({ after, take: limit + 1, skip: offset ?? 0 }),
    offset === undefined ? undefined : count(),
  ]);
  const more = rows.length > limit;
  const data = more ? rows.slice(0, limit) : rows;
  const last = data.at(-1);
  return {
    data,
    nextCursor: more && last ? writeCursor(keyOf(last), bound) : null,
    ...(total === undefined ? {} : { total }),
  };
}

/** Signs a position in a list as a cursor of RFC 3986's unreserved characters. The binding is as in `paginate`, as JSON. */
export function writeCursor(key: string | Id, binding: string): string {
  const after = keyText(key);
  return Buffer.concat([signatures(after, binding)[0]!, Buffer.from(after)]).toString("base64url");
}

/** The position that a cursor was written for. @throws DomainError invalid_cursor */
export function readCursor(cursor: string, binding: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const after = bytes.subarray(12).toString();
  if (
    bytes.length < 13 ||
    !signatures(after, binding).some((signature) => timingSafeEqual(bytes.subarray(0, 12), signature))
  ) {
    throw new DomainError(
      "invalid_cursor",
      "This cursor was not given for this list with these filters. Begin again without a cursor.",
    );
  }
  return after;
}
