import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { publicId } from "@/server/core/ids";
import { query } from "@/server/core/operation";
import { connectionOf, type Connection } from "./connection";
import { findGroups } from "./groups/list";
import type { ScimGroupRow } from "./groups/row";
import { groupViews } from "./groups/view";
import { listed, pagesOf } from "./page";
import { groupSchema, userSchema } from "./protocol/schemas";
import { listQuery, type ListQuery } from "./query";
import { note } from "./requests/effect";
import { findSorted } from "./search-sorted";
import { findUsers } from "./users/list";
import type { UserRow } from "./users/row";
import { userViews } from "./users/view";

/**
 * Lists users and groups of the connection by one query (RFC 7644 section 3.4.3): users and then groups, or both in the
 * order of an attribute. An attribute that one of the two does not have has no value there.
 * @throws ScimError invalidFilter, invalidPath for an attribute that neither has
 */
export const searchScim = query({
  name: "scim.search",
  scope: "scim",
  input: z.strictObject({ query: listQuery }),
  async run(ctx, { query: asked }) {
    const connection = await connectionOf(ctx);
    // The page is found by its index in users and groups together; a cursor contains that index.
    const pages = pagesOf(ctx, connection, "all", asked, "index");
    const { total, users, groups, order } = await findBoth(ctx, connection, asked, pages.start.skip);
    note(ctx, "found", total);
    const views = [
      ...(await userViews(ctx, connection, users, asked.projection)),
      ...(await groupViews(ctx, connection, groups, asked.projection)),
    ];
    const byId = new Map(views.map((view) => [view.id, view]));
    const ordered = order ? order.flatMap((id) => byId.get(id) ?? []) : views;
    return listed(asked, pages.following(total, ordered.length), ordered);
  },
});

interface Both {
  total: number;
  users: UserRow[];
  groups: ScimGroupRow[];
  /** The public ids in the order of the page; without them, users come before groups. */
  order?: string[];
}

async function findBoth(ctx: Ctx, connection: Connection, asked: ListQuery, skip: number): Promise<Both> {
  const { sortBy } = asked;
  if (sortBy !== null) {
    const { order, ...found } = await findSorted(ctx, connection, { ...asked, sortBy }, skip);
    return {
      ...found,
      order: order.map(({ kind, id }) => (kind === "User" ? publicId("sub", id) : publicId("grp", id))),
    };
  }
  const byIndex: ListQuery = { ...asked, cursor: null, startIndex: skip + 1 };
  const users = await findUsers(ctx, connection, byIndex, [groupSchema]);
  const left: ListQuery = {
    ...byIndex,
    startIndex: Math.max(1, byIndex.startIndex - users.total),
    count: asked.count - users.rows.length,
  };
  const groups = await findGroups(ctx, connection, left, [userSchema]);
  return { total: users.total + groups.total, users: users.rows, groups: groups.rows };
}
