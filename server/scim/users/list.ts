import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { query } from "@/server/core/operation";
import { reading } from "@/server/core/db";
import { readId, uuidOf } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { like } from "@/server/core/words";
import { connectionOf, type Connection } from "../connection";
import { badRequest } from "../protocol/error";
import { filterSql, type Filtered } from "../protocol/filter-sql";
import { parseFilter } from "../protocol/filter";
import { readPath } from "../protocol/path";
import { findAttribute, userSchema, type Attribute, type ResourceSchema } from "../protocol/schemas";
import { listed, pagesOf, type Found } from "../page";
import { directionOf, listQuery, type ListQuery } from "../query";
import { note } from "../requests/effect";
import { groupsSql } from "./groups";
import { fold, userColumns, type UserRow } from "./row";
import { unwritten } from "./unwritten";
import { userViews } from "./view";

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
  },
  json: "resource",
  readId: (text) => {
    const id = readId("sub", text);
    return typeof id === "string" ? uuidOf(id) : null;
  },
  fold,
  special: groupsSql,
  indexed: (name, value, parameter) =>
    name === "emails.value" ? `emails @> ARRAY[${parameter(fold(value))}::text]` : null,
};

/** As `written`, for people whom the default connection has not written yet: their user_key is the external id in its own case. */
const notWritten: Filtered = {
  ...written,
  columns: { ...written.columns, userName: { sql: "lower(user_key)", kind: "key" } },
  special: (name, op, value, parameter) =>
    name === "userName" && op === "eq"
      ? `user_key = ANY(${parameter([fold(String(value)), String(value)])}::text[])`
      : groupsSql(name, op, value, parameter),
  // The column search has the address in lower case, and an index; it says nothing of other scripts.
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
 * The users of a query, and how many there are in all.
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
  const filter = asked.filter === null ? null : parseFilter(asked.filter);
  const selects = sourcesOf(connection).map(({ from, filtered }) => {
    const narrowed = filter === null ? "" : `AND (${filterSql(filter, { ...filtered, others: schemas }, parameter)})`;
    return `FROM ${from} WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL ${narrowed}`;
  });
  const { sql } = reading(ctx);
  const counts = selects.map((select) => `(SELECT count(*) ${select})`);
  const [counted] = await sql<{ n: number }>(`SELECT ${counts.join(" + ")} AS n`, [...values]);
  const total = counted!.n;
  if (asked.count === 0 || pages.start.skip >= total) return { total, rows: [] };
  const beyond = pages.start.after === null ? "" : `AND subject_id > ${parameter(pages.start.after)}::uuid`;
  const order = `${orderOf(asked.sortBy)} ${directionOf(asked)}, subject_id`;
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

/** SQL: what a list is sorted by. @throws ScimError invalidPath */
function orderOf(sortBy: string | null): string {
  if (sortBy === null) return "subject_id";
  const { urn, attribute, sub } = readPath(userSchema, sortBy);
  const column = attribute && written.columns[[urn ?? [], attribute.name, sub ?? []].flat().join(".")];
  if (column) return column.sql;
  const leaf = attribute && leafOf(attribute, sub);
  if (!attribute || !leaf || attribute.mutability === "readOnly")
    throw badRequest(
      "invalidPath",
      "Users are sorted by an attribute with one value, such as userName or name.familyName.",
    );
  const place = urn === null ? "resource" : `resource -> '${urn}'`;
  const value = attribute.multiValued
    ? mainValue(`${place} -> '${attribute.name}'`, leaf.name)
    : `${place} ${attribute.type === "complex" ? `-> '${attribute.name}'` : ""} ->> '${leaf.name}'`;
  return leaf.caseExact ? `(${value})` : `lower(${value})`;
}

/** The attribute that is compared: the sub-attribute, that named `value` of a list, or the attribute itself. */
const leafOf = (attribute: Attribute, sub: string | null): Attribute | undefined =>
  attribute.type === "complex"
    ? findAttribute(attribute.subAttributes, sub ?? (attribute.multiValued ? "value" : ""))
    : attribute;

/** SQL: of a list of values, the primary one, else the first (RFC 7644 section 3.4.2.3). */
const mainValue = (list: string, name: string) =>
  `(SELECT v ->> '${name}' FROM jsonb_array_elements(${list}) WITH ORDINALITY AS element (v, n) ORDER BY coalesce(v ->> 'primary', 'false') DESC, n LIMIT 1)`;
