import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { readId, uuidOf } from "@/server/core/ids";
import type { Parameter } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { opaque } from "@/server/core/opaque";
import { connectionOf, type Connection } from "../connection";
import { badRequest } from "../protocol/error";
import type { Comparison, Value } from "../protocol/filter";
import { parseFilter } from "../protocol/filter";
import { filterSql, type Filtered } from "../protocol/filter-sql";
import { asksFor } from "../protocol/project";
import { groupSchema, type ResourceSchema } from "../protocol/schemas";
import { listed, pagesOf, type Found } from "../page";
import { directionOf, listQuery, type ListQuery } from "../query";
import { note } from "../requests/effect";
import type { SortKey } from "../sort-key";
import { fold } from "@/server/connectors/directory/fold";
import { versionSql } from "../users/view";
import { fittingGroups } from "./bound-page";
import { scimGroupColumns, type ScimGroupRow } from "./row";
import { isShown } from "./shown";
import { groupSortKey, notSortable } from "./sort";
import { groupViews } from "./view";

const idOf = (prefix: "grp" | "sub", text: string) => {
  const id = readId(prefix, text);
  return typeof id === "string" ? uuidOf(id) : null;
};

export const filteredGroups: Filtered = {
  schema: groupSchema,
  columns: {
    id: { sql: "group_id", kind: "id" },
    displayName: { sql: "name_key", kind: "key" },
    externalId: { sql: "external_id", kind: "text" },
    "meta.resourceType": { sql: "'Group'::text", kind: "text" },
    "meta.created": { sql: "created_at", kind: "time" },
    "meta.lastModified": { sql: "updated_at", kind: "time" },
    "meta.version": { sql: versionSql, kind: "text" },
  },
  json: null,
  readId: (text) => idOf("grp", text),
  fold,
  elsewhere: new Set(["members"]),
  special: (name, op, value, parameter) =>
    name === "members" || name === "members.value" ? membersSql(op, value, parameter) : null,
};

/** A condition on the members of `scim_groups`, as the provider sees them. */
function membersSql(op: Comparison | "pr", value: Value, parameter: Parameter): string {
  // OFFSET 0 makes PostgreSQL find the memberships by one indexed column first, whatever its statistics say.
  const among = (key: string) =>
    `EXISTS (SELECT FROM (SELECT group_id, subject_id, added_at FROM group_members WHERE org_id = ${opaque("$1")} AND ${key} OFFSET 0) m WHERE m.group_id = scim_groups.group_id AND ${isShown})`;
  const awaited = (which: string) =>
    `EXISTS (SELECT FROM scim_pending_members awaited WHERE awaited.org_id = ${opaque("$1")} AND awaited.group_id = scim_groups.group_id AND awaited.leaving_since IS NULL ${which})`;
  if (op === "pr") return `(${among("group_id = scim_groups.group_id")} OR ${awaited("")})`;
  if (op !== "eq") throw badRequest("invalidFilter", "Members are compared by eq, ne or pr.");
  const text = String(value);
  const id = idOf("sub", text);
  const waits = awaited(`AND awaited.value = ${parameter(text)}::text`);
  return id === null ? waits : `(${among(`subject_id = ${parameter(id)}::uuid`)} OR ${waits})`;
}

/**
 * Lists the groups of the connection (RFC 7644 section 3.4.2), by id unless sorted otherwise. Members are read if the
 * answer includes them, and a page ends before it has too many of them.
 *
 * @throws ScimError invalidFilter, invalidPath
 */
export const listScimGroups = query({
  name: "scim.groups.list",
  scope: "scim",
  input: z.strictObject({ query: listQuery }),
  async run(ctx, { query: asked }) {
    const connection = await connectionOf(ctx);
    const { rows, ...found } = await findGroups(ctx, connection, asked);
    note(ctx, "found", found.total);
    const views = await groupViews(ctx, connection, rows, asked.projection);
    return listed(asked, found, views);
  },
});

/**
 * Returns the groups of a query, and the total.
 *
 * @param schemas those of other resources that the same search lists
 * @throws ScimError invalidFilter, invalidPath
 */
export async function findGroups(
  ctx: Ctx,
  connection: Connection,
  asked: ListQuery,
  schemas: readonly ResourceSchema[] = [],
): Promise<Found<ScimGroupRow>> {
  const pages = pagesOf(ctx, connection, "groups", asked, asked.sortBy === null && !asked.descending ? "id" : "index");
  const values: unknown[] = [ctx.orgId, connection.id];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const select = selectGroups(asked, schemas, parameter);
  const { sql } = reading(ctx);
  const [counted] = await sql<{ n: number }>(`SELECT count(*) AS n ${select}`, [...values]);
  const total = counted!.n;
  if (asked.count === 0 || pages.start.skip >= total) return { total, rows: [] };
  const beyond = pages.start.after === null ? "" : `AND group_id > ${parameter(pages.start.after)}::uuid`;
  const key = asked.sortBy === null ? "group_id" : sortKeyOfGroups(asked.sortBy)?.sql;
  if (key === undefined) throw notSortable();
  const order = `${key} ${directionOf(asked)}, group_id`;
  const rows = await sql<ScimGroupRow>(
    `SELECT ${scimGroupColumns} ${select} ${beyond} ORDER BY ${order} LIMIT ${parameter(asked.count + 1)} OFFSET ${parameter(pages.start.skip)}`,
    values,
  );
  const most = asksFor(asked.projection, "members")
    ? await fittingGroups(
        ctx,
        rows.slice(0, asked.count).map((row) => row.group_id),
      )
    : asked.count;
  return pages.found(total, rows, (row) => row.group_id, most);
}

/** The value that groups are sorted by. @returns null if groups have no such attribute. @throws ScimError invalidPath */
export const sortKeyOfGroups = (sortBy: string): SortKey | null => groupSortKey(sortBy, filteredGroups.columns);

/**
 * SQL: the groups of a query, as `FROM … WHERE …`. $1 is the organisation and $2 the connection.
 * @throws ScimError invalidFilter
 */
export function selectGroups(
  { filter }: Pick<ListQuery, "filter">,
  others: readonly ResourceSchema[],
  parameter: Parameter,
): string {
  const narrowed =
    filter === null ? "" : `AND (${filterSql(parseFilter(filter), { ...filteredGroups, others }, parameter)})`;
  return `FROM scim_groups WHERE org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL ${narrowed}`;
}
