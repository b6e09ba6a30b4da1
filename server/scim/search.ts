import { z } from "zod";
import { query } from "@/server/core/operation";
import { connectionOf } from "./connection";
import { findGroups } from "./groups/list";
import { groupViews } from "./groups/view";
import { listed, pagesOf } from "./page";
import { badRequest } from "./protocol/error";
import { groupSchema, userSchema } from "./protocol/schemas";
import { listQuery, type ListQuery } from "./query";
import { note } from "./requests/effect";
import { findUsers } from "./users/list";
import { userViews } from "./users/view";

/**
 * Lists users and then groups of the connection by one query (RFC 7644 section 3.4.3). An attribute that one of the two
 * does not have has no value there.
 * @throws ScimError invalidFilter for an attribute that neither has; invalidPath for a sort
 */
export const searchScim = query({
  name: "scim.search",
  scope: "scim",
  input: z.strictObject({ query: listQuery }),
  async run(ctx, { query: asked }) {
    if (asked.sortBy !== null)
      throw badRequest("invalidPath", "Users and groups have no order in common. Sort at /Users or at /Groups.");
    const connection = await connectionOf(ctx);
    // The page is found by its index in users and groups together; a cursor holds that.
    const pages = pagesOf(ctx, connection, "all", asked, "index");
    const byIndex: ListQuery = { ...asked, cursor: null, startIndex: pages.start.skip + 1 };
    const users = await findUsers(ctx, connection, byIndex, [groupSchema]);
    const left: ListQuery = {
      ...byIndex,
      startIndex: Math.max(1, byIndex.startIndex - users.total),
      count: asked.count - users.rows.length,
    };
    const groups = await findGroups(ctx, connection, left, [userSchema]);
    note(ctx, "found", users.total + groups.total);
    const views = [
      ...(await userViews(ctx, connection, users.rows, asked.projection)),
      ...(await groupViews(ctx, connection, groups.rows, asked.projection)),
    ];
    return listed(asked, pages.following(users.total + groups.total, views.length), views);
  },
});
