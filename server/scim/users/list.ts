import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { query } from "@/server/core/operation";
import { reading } from "@/server/core/db";
import { readId, uuidOf } from "@/server/core/ids";
import type { Parameter } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { like } from "@/server/core/words";
import { connectionOf, type Connection } from "../connection";
import { filterSql, type Filtered } from "../protocol/filter-sql";
import { parseFilter } from "../protocol/filter";
import { userSchema, type ResourceSchema } from "../protocol/schemas";
import { listed, pagesOf, type Found } from "../page";
import { directionOf, listQuery, type ListQuery } from "../query";
import { note } from "../requests/effect";
import type { SortKey } from "../sort-key";
import { groupsSql } from "./groups";
import { fold } from "@/server/connectors/directory/fold";
import { userColumns, type UserRow } from "./row";
import { notSortable, userSortKey } from "./sort";
import { unwritten } from "./unwritten";
import { userTagSql, userViews } from "./view";

const written: Filtered = {
  schema: userSchema,
  columns: {
    id: { sql: "subject_id", kind: "id" },
    userName: { sql: "user_key", kind: "key" },
    externalId: { sql: "external_id", kind: "text" },
    active: { sql: "active", kind: "boolean" },
    "meta.resourceType": { sql: "'User'::text", kind: "text" },
    "meta.created": { sql: "created_at", kind: "time" },
    "meta.lastModified": { sql: "updated_at", kind: "time" },
    "meta.version": { sql: userTagSql, kind: "text" },
  },
  json: "resource",
  readId: (text) => {
    const id = readId("sub", text);
    return typeof id === "string" ? uuidOf(id) : null;
  },
  fold,
  elsewhere: new Set(["groups"]),
  special: groupsSql,
  indexed: (name, value, parameter) =>
    name === "emails.value" ? `emails @> ARRAY[${parameter(fold(value))}::text]` : null,
};

/**
 * The same for people whom the default connection has not written yet: their user_key is the external id in its own
 * case.
 */
const notWritten: Filtered = {
  ...written,
  columns: { ...written.columns, userName: { sql: "lower(user_key)", kind: "key" } },
  special: (name, op, value, parameter) =>
    name === "userName" && op === "eq"
      ? `user_key = ANY(${parameter([fold(String(value)), String(value)])}::text[])`
      : groupsSql(name, op, value, parameter),
  // The column search contains the address in lower case, and has an index; other scripts are not folded.
  indexed: (name, value, parameter) =>
    name === "emails.value" && /^[\x20-\x7e]{3,}$/.test(value) ? `search LIKE ${parameter(like(fold(value)))}` : null,
};

/** The tables that users are read from: scim_users and, for the default connection, the people who have no row there. */
const sourcesOf = ({ is_default }: Connection): { from: string; filtered: Filtered }[] => [
  { from: "scim_users", filtered: written },
  ...(is_default ? [{ from: unwritten, filtered: notWritten }] : []),
];

/**
 * Lists the users of the connection (RFC 7644 section 3.4.2), by id unless sorted otherwise.
 * @throws ScimError invalidFilter, invalidPath
 */
export const listScimUsers = query({
  name: "scim.users.list",
  scope: "scim",
  input: z.strictObject({ query: listQuery }),
  async run(ctx, { query: asked }) {
    const connection = await connectionOf(ctx);
    const { rows, ...found } = await findUsers(ctx, connection, asked);
    note(ctx, "found", found.total);
    const views = await userViews(ctx, connection, rows, asked.projection);
    return listed(asked, found, views);
  },
});

/**
 * Returns the users of a query, and the total.
 *
 * @param schemas those of other resources that the same search lists
 * @throws ScimError invalidFilter, invalidPath
 */
export async function findUsers(
  ctx: Ctx,
  connection: Connection,
  asked: ListQuery,
  schemas: readonly ResourceSchema[] = [],
): Promise<Found<UserRow>> {
  const pages = pagesOf(ctx, connection, "users", asked, asked.sortBy === null && !asked.descending ? "id" : "index");
  const values: unknown[] = [ctx.orgId, connection.id];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const selects = selectUsers(connection, asked, schemas, parameter);
  const { sql } = reading(ctx);
  const counts = selects.map((select) => `(SELECT count(*) ${select})`);
  const [counted] = await sql<{ n: number }>(`SELECT ${counts.join(" + ")} AS n`, [...values]);
  const total = counted!.n;
  if (asked.count === 0 || pages.start.skip >= total) return { total, rows: [] };
  const beyond = pages.start.after === null ? "" : `AND subject_id > ${parameter(pages.start.after)}::uuid`;
  const key = asked.sortBy === null ? "subject_id" : sortKeyOfUsers(asked.sortBy)?.sql;
  if (key === undefined) throw notSortable();
  const order = `${key} ${directionOf(asked)}, subject_id`;
  const ordered = (select: string, most: number) =>
    `SELECT ${userColumns} ${select} ${beyond} ORDER BY ${order} LIMIT ${parameter(most)}`;
  const [only, ...others] = selects;
  const rows = await sql<UserRow>(
    others.length === 0
      ? `${ordered(only!, asked.count + 1)} OFFSET ${parameter(pages.start.skip)}`
      : `SELECT ${userColumns} FROM (${selects.map((select) => `(${ordered(select, pages.start.skip + asked.count + 1)})`).join(" UNION ALL ")}) everybody
         ORDER BY ${order} LIMIT ${parameter(asked.count + 1)} OFFSET ${parameter(pages.start.skip)}`,
    values,
  );
  return pages.found(total, rows, (row) => row.subject_id);
}

/** The value that users are sorted by. @returns null if users have no such attribute. @throws ScimError invalidPath */
export const sortKeyOfUsers = (sortBy: string): SortKey | null => userSortKey(sortBy, written.columns);

/**
 * SQL: the users of a query, as `FROM … WHERE …` for each table that they are read from. $1 is the organisation and $2
 * the connection.
 * @throws ScimError invalidFilter
 */
export function selectUsers(
  connection: Connection,
  { filter }: Pick<ListQuery, "filter">,
  others: readonly ResourceSchema[],
  parameter: Parameter,
): string[] {
  const parsed = filter === null ? null : parseFilter(filter);
  return sourcesOf(connection).map(({ from, filtered }) => {
    const narrowed = parsed === null ? "" : `AND (${filterSql(parsed, { ...filtered, others }, parameter)})`;
    return `FROM ${from} WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL ${narrowed}`;
  });
}
