import { z } from "zod";
import { hasFactorSql } from "@/server/access/second-factor/has-second-factor";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";

/** Tells whether the organisation requires a second factor, and how many of its members have none yet. */
export const getSecondFactorPolicy = query({
  name: "organisations.second_factor_policy",
  scope: "settings:read",
  input: z.strictObject({}),
  async run(ctx) {
    const [row] = await reading(ctx).sql<{ required: boolean; members: number; without: number }>(
      `SELECT o.require_second_factor AS required, count(m.id)::int AS members, count(m.id) FILTER (WHERE NOT ${hasFactorSql("m.user_id")})::int AS without
       FROM organisations o LEFT JOIN memberships m ON m.org_id = o.id WHERE o.id = $1 GROUP BY o.id`,
      [ctx.orgId],
    );
    return row!;
  },
});
