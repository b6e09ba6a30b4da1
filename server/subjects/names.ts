import { z } from "zod";
import { reading } from "@/server/core/db";
import { publicId, type Id } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";

/** Returns the names of some subjects, for lists that hold their ids. Ids that are not found are left out. */
export const subjectNames = query({
  name: "subjects.names",
  scope: "subjects:read",
  input: z.strictObject({ ids: z.array(id("sub")).max(100) }),
  async run(ctx, { ids }) {
    const rows = await reading(ctx).sql<{ id: Id<"sub">; externalId: string; displayName: string; isErased: boolean }>(
      `SELECT subject.id, external_id AS "externalId", display_name AS "displayName", erased_at IS NOT NULL AS "isErased" FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND subjects.id = given.id OFFSET 0) subject`,
      [ctx.orgId, ids],
    );
    return rows.map((row) => ({ ...row, id: publicId("sub", row.id) }));
  },
});
