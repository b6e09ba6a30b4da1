import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { orderBy, sortBy, type Sorted } from "@/server/core/sorting";
import { loadScimConnector } from "../connection";
import { isDue } from "../removals/due";
import { fold } from "@/server/connectors/directory/fold";

interface DirectoryUserRow extends Sorted {
  id: Id<"sub">;
  user_name: string;
  active: boolean;
  updated_at: Date;
  display_name: string;
  status: "active" | "inactive";
  /** The person was here before the directory sent them. */
  adopted: boolean;
  /** The staged removal. deleted: the directory deleted the user, whom SCIM hides. */
  removal: "status" | "deleted" | null;
}

/** `userName` sorts as it is compared: ignoring case. */
const sorts = { createdAt: null, userName: { key: `(user_key COLLATE "C")`, type: "text" } } as const;

/** SQL: the staged removal of the user `u` of connection $2. */
const staged = `(SELECT cause FROM scim_removals removal
  WHERE removal.org_id = ${opaque("$1")} AND removal.connector_id = $2 AND removal.subject_id = u.subject_id AND removal.group_id IS NULL AND removal.state = 'staged' AND ${isDue("removal")})`;

/**
 * Lists the users of a directory as it wrote them, with their status here. A user whom the directory deleted is listed
 * while the removal waits for approval. Requires subjects:read too.
 */
export const listDirectoryUsers = query({
  name: "connectors.directory.users",
  scope: "connectors:read",
  alsoScope: "subjects:read",
  input: z.strictObject({
    id: id("con"),
    q: z.string().trim().max(200).default(""),
    sort: sortBy(sorts, "Newest first unless sent."),
    ...page,
  }),
  async run(ctx, input) {
    const connection = await loadScimConnector(ctx, input.id);
    const { sql } = reading(ctx);
    const which = `org_id = ${opaque("$1")} AND connector_id = $2 AND (hidden_at IS NULL OR ${staged} IS NOT NULL) AND ($3 = '' OR strpos(user_key, $3) > 0 OR external_id = $4 OR strpos(lower(resource ->> 'displayName'), $3) > 0)`;
    const order = orderBy(input.sort ?? "-createdAt", sorts);
    const asked = [ctx.orgId, connection.id, fold(input.q), input.q];
    const found = await paginate(input, {
      binding: [ctx.orgId, "scim_users", connection.id, input.q, order.by],
      fetch({ after, take, skip }) {
        const values: unknown[] = [...asked];
        const parameter = (value: unknown) => `$${values.push(value)}`;
        const beyond = after === null ? "true" : order.beyond(after, parameter);
        return sql<DirectoryUserRow>(
          `SELECT u.*, s.display_name, s.status, s.created_at < u.created_at AS adopted
           FROM (SELECT id, user_key, user_name, active, created_at, updated_at, removal${order.select} FROM (
                   SELECT subject_id AS id, user_key, resource ->> 'userName' AS user_name, active, created_at, updated_at, ${staged} AS removal FROM scim_users u WHERE ${which}
                 ) listed WHERE ${beyond} ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}) u
           CROSS JOIN LATERAL (SELECT display_name, status, created_at FROM subjects WHERE org_id = ${opaque("$1")} AND id = u.id OFFSET 0) s
           ORDER BY ${order.by}`,
          values,
        );
      },
      count: async () =>
        (await sql<{ n: number }>(`SELECT count(*) AS n FROM scim_users u WHERE ${which}`, asked))[0]!.n,
      keyOf: order.keyOf,
    });
    return {
      ...found,
      data: found.data.map((row) => ({
        subjectId: publicId("sub", row.id),
        displayName: row.display_name,
        userName: row.user_name,
        activeThere: row.active,
        status: row.status,
        adopted: row.adopted,
        removal: row.removal,
        updatedAt: row.updated_at.toISOString(),
      })),
    };
  },
});
