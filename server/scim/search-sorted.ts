import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Connection } from "./connection";
import { fittingGroups } from "./groups/bound-page";
import { selectGroups, sortKeyOfGroups } from "./groups/list";
import { scimGroupColumns, type ScimGroupRow } from "./groups/row";
import { badRequest } from "./protocol/error";
import { asksFor } from "./protocol/project";
import { groupSchema, userSchema } from "./protocol/schemas";
import { directionOf, type ListQuery } from "./query";
import type { SortKey } from "./sort-key";
import { selectUsers, sortKeyOfUsers } from "./users/list";
import { userColumns, type UserRow } from "./users/row";
import { unwritten } from "./users/unwritten";

/** A page of users and groups in one order. */
export interface SortedPage {
  total: number;
  /** The content of the page, in order. */
  order: Place[];
  users: UserRow[];
  groups: ScimGroupRow[];
}

/** One resource of a page. */
export type Place = { kind: "User"; id: Id<"sub"> } | { kind: "Group"; id: Id<"grp"> };

/**
 * Finds users and groups in the order of one attribute (RFC 7644 sections 3.4.2.3 and 3.4.3). A kind of resource that
 * lacks the attribute has no value: it comes last in ascending order. Users with equal values come before groups.
 * @param skip how many resources come before the page
 * @throws ScimError invalidPath, invalidFilter
 */
export async function findSorted(
  ctx: Ctx,
  connection: Connection,
  asked: ListQuery & { sortBy: string },
  skip: number,
): Promise<SortedPage> {
  const { userKey, groupKey } = keysOf(asked.sortBy);
  const values: unknown[] = [ctx.orgId, connection.id];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const selects = [
    ...selectUsers(connection, asked, [groupSchema], parameter).map((from) => ({
      columns: `'User' AS kind, subject_id AS id, ${userKey} AS sort_key`,
      from,
    })),
    {
      columns: `'Group' AS kind, group_id AS id, ${groupKey} AS sort_key`,
      from: selectGroups(asked, [userSchema], parameter),
    },
  ];
  const { sql } = reading(ctx);
  const counts = selects.map(({ from }) => `(SELECT count(*) ${from})`);
  const [counted] = await sql<{ n: number }>(`SELECT ${counts.join(" + ")} AS n`, [...values]);
  const total = counted!.n;
  if (asked.count === 0 || skip >= total) return { total, order: [], users: [], groups: [] };
  const by = `sort_key ${directionOf(asked)}`;
  const most = parameter(skip + asked.count);
  const each = selects.map(({ columns, from }) => `(SELECT ${columns} ${from} ORDER BY ${by}, id LIMIT ${most})`);
  const places = await sql<Place>(
    `SELECT kind, id FROM (${each.join(" UNION ALL ")}) everything ORDER BY ${by}, kind DESC, id LIMIT ${parameter(asked.count)} OFFSET ${parameter(skip)}`,
    values,
  );
  return { total, ...(await load(ctx, connection, await fitting(ctx, asked, places))) };
}

/** SQL: what users and groups are sorted by, of one type. */
function keysOf(sortBy: string): { userKey: string; groupKey: string } {
  const users = sortKeyOfUsers(sortBy);
  const groups = sortKeyOfGroups(sortBy);
  const { type } = users ?? groups ?? refuse();
  // Ids are compared as they are shown, with their prefix.
  if (type === "uuid") return { userKey: "'sub_' || subject_id", groupKey: "'grp_' || group_id" };
  const valueOf = (key: SortKey | null) => key?.sql ?? `NULL::${type}`;
  return { userKey: valueOf(users), groupKey: valueOf(groups) };
}

function refuse(): never {
  throw badRequest("invalidPath", "Neither users nor groups have the attribute that sortBy names.");
}

/** Ends a page before its groups have too many members. */
async function fitting(ctx: Ctx, { projection }: ListQuery, places: Place[]): Promise<Place[]> {
  if (!asksFor(projection, "members")) return places;
  const groups = places.flatMap(({ kind, id }) => (kind === "Group" ? [id] : []));
  const beyond = groups[await fittingGroups(ctx, groups)];
  return beyond === undefined
    ? places
    : places.slice(
        0,
        places.findIndex(({ id }) => id === beyond),
      );
}

async function load(ctx: Ctx, connection: Connection, places: Place[]): Promise<Omit<SortedPage, "total">> {
  const { sql } = reading(ctx);
  const idsOf = (wanted: Place["kind"]) => places.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  const which = (id: string) =>
    `org_id = ${opaque("$1")} AND connector_id = $2 AND hidden_at IS NULL AND ${id} = ANY($3::uuid[])`;
  const usersOf = (from: string) => `SELECT ${userColumns} FROM ${from} WHERE ${which("subject_id")}`;
  const sources = ["scim_users", ...(connection.is_default ? [unwritten] : [])];
  const [users, groups] = await Promise.all([
    sql<UserRow>(sources.map(usersOf).join(" UNION ALL "), [ctx.orgId, connection.id, idsOf("User")]),
    sql<ScimGroupRow>(`SELECT ${scimGroupColumns} FROM scim_groups WHERE ${which("group_id")}`, [
      ctx.orgId,
      connection.id,
      idsOf("Group"),
    ]),
  ]);
  return { order: places, users, groups };
}
