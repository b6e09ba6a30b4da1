import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

/** Returns the names of groups in rules. Omits deleted groups. */
export const groupNames = query({
  name: "groups.names",
  scope: "groups:read",
  input: z.strictObject({ ids: z.array(id("grp")).max(500) }),
  async run(ctx, { ids }) {
    const rows = await reading(ctx).sql<{ id: Id<"grp">; name: string }>(
      `SELECT g.id, g.name FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (SELECT id, name FROM groups WHERE org_id = ${opaque("$1")} AND groups.id = given.id OFFSET 0) g`,
      [ctx.orgId, ids],
    );
    return rows.map((row) => ({ id: publicId("grp", row.id), name: row.name }));
  },
});
