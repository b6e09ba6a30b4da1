import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";

const newest = 500;
const shownAtMost = 100;

/** Lists the attribute names of the newest 500 people, the most frequent first. For suggestions. */
export const listAttributeNames = query({
  name: "subjects.attribute_names.list",
  scope: "subjects:read",
  input: z.strictObject({}),
  async run(ctx): Promise<string[]> {
    const rows = await reading(ctx).sql<{ name: string }>(
      `SELECT name FROM (SELECT attributes FROM subjects WHERE org_id = $1 ORDER BY id DESC LIMIT ${newest}) person
       CROSS JOIN LATERAL jsonb_object_keys(person.attributes) AS name
       WHERE name !~ '[.[:cntrl:]]' GROUP BY name ORDER BY count(*) DESC, name LIMIT ${shownAtMost}`,
      [ctx.orgId],
    );
    return rows.map(({ name }) => name);
  },
});
