import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { readCursor, writeCursor } from "@/server/core/pagination";
import type { Connection } from "./connection";
import { badRequest } from "./protocol/error";
import type { ListQuery } from "./query";
import type { Resource } from "./users/view";

/** A page of a list, and the total. */
export interface Found<Row> {
  total: number;
  rows: Row[];
  /** Only if the client asked with a cursor, and this is not the last page. */
  nextCursor?: string;
}

/** The start of a page: after the resource with this id, or after this many resources. */
export interface Start {
  after: string | null;
  skip: number;
}

/**
 * The pages of a list (RFC 7644 section 3.4.2.4, RFC 9865). A cursor is bound to the list, its filter and its order. If
 * the list is ordered by id, the cursor contains an id: every page costs the same, and a change between two requests
 * makes no resource appear twice or not at all. In any other order the cursor contains an index.
 *
 * @param by whether a cursor of this list contains an id or an index
 */
export function pagesOf(ctx: Ctx, connection: Connection, list: string, asked: ListQuery, by: "id" | "index") {
  const { filter, sortBy, descending, cursor } = asked;
  const binding = JSON.stringify([ctx.orgId, connection.id, list, filter, sortBy, descending, by]);
  const start: Start = { after: null, skip: cursor === null ? asked.startIndex - 1 : 0 };
  if (cursor) {
    const key = read(cursor, binding);
    if (by === "id") start.after = key;
    else start.skip = Number(key);
  }
  const next = (key: string | Id) => ({ nextCursor: writeCursor(key, binding) });
  return {
    start,
    /**
     * Removes the extra row of a page, which shows that another page follows.
     *
     * @param count how many rows the page has, if fewer than requested
     */
    found<Row>(total: number, read: Row[], idOf: (row: Row) => Id, count = asked.count): Found<Row> {
      const rows = read.slice(0, count);
      const last = rows.at(-1);
      if (cursor === null || last === undefined || read.length <= count) return { total, rows };
      return { total, rows, ...next(by === "id" ? idOf(last) : String(start.skip + count)) };
    },
    /** Returns the cursor of the next page, for a list that is paged by index. */
    following(total: number, count: number): { total: number; nextCursor?: string } {
      const end = start.skip + count;
      return { total, ...(cursor !== null && count > 0 && end < total && next(String(end))) };
    },
  };
}

/** Converts a page to the form of answers: with startIndex, or as in RFC 9865 if the client asked with a cursor. */
export interface Listed {
  total: number;
  startIndex?: number;
  nextCursor?: string;
  resources: object[];
}

export const listed = (
  { cursor, startIndex }: ListQuery,
  { total, nextCursor }: Omit<Found<never>, "rows">,
  views: Resource[],
): Listed => ({
  total,
  ...(cursor === null && { startIndex }),
  ...(nextCursor !== undefined && { nextCursor }),
  resources: views.map(({ body }) => body),
});

function read(cursor: string, binding: string): string {
  try {
    return readCursor(cursor, binding);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw badRequest(
      "invalidCursor",
      "This cursor was not given for this list with this filter and order. Begin again with an empty cursor.",
    );
  }
}
