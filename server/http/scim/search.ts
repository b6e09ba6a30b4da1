import { readListQuery } from "@/server/scim/query";
import { searchScim } from "@/server/scim/search";
import { listAnswer, scimRoute } from "./scim-route";

/** POST /.search: users and groups by one query. */
export const search = scimRoute(async ({ ctx, body }) =>
  listAnswer(await searchScim(ctx, { query: readListQuery(await body()) })),
);
