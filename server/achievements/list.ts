import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { isAmong, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { orderBy, sortBy, type Sorted, type SortFields } from "@/server/core/sorting";
import { like, wordsOf } from "@/server/core/words";
import { versionStatuses } from "@/server/templates/states";
import { achievementColumns, achievementView, type AchievementRow } from "./view";

/** No index is needed: an organisation has few achievements, and the primary key finds them all for any sort order. */
const achievementSorts = {
  createdAt: null,
  updatedAt: { key: "updated_at", type: "timestamptz" },
  name: { key: `(search_fold(name) COLLATE "C")`, type: "text" },
} as const satisfies SortFields;

/** Lists achievements, newest first. */
export const listAchievements = query({
  name: "achievements.list",
  scope: "achievements:read",
  input: z.strictObject({
    status: severalOf(versionStatuses).optional(),
    q: z.string().trim().max(200).optional().meta({ description: "Words, in any order, each part of the name." }),
    sort: sortBy(achievementSorts, "Newest first unless sent."),
    ...page,
  }),
  async run(ctx, input) {
    const { limit: _, cursor: __, offset: ___, sort = "-createdAt", ...filter } = input;
    const order = orderBy(sort, achievementSorts);
    const found = await paginate(input, {
      binding: [ctx.orgId, "achievements", order.by, filter],
      fetch({ after, take, skip }) {
        const { where, parameter, values } = conditions(ctx, filter);
        if (after !== null) where.push(order.beyond(after, parameter));
        return reading(ctx).sql<AchievementRow & Sorted>(
          `SELECT ${achievementColumns}${order.select} FROM achievements WHERE ${where.join(" AND ")} ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
          values,
        );
      },
      async count() {
        const { where, values } = conditions(ctx, filter);
        return (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM achievements WHERE ${where.join(" AND ")}`,
            values,
          )
        )[0]!.n;
      },
      keyOf: order.keyOf,
    });
    return { ...found, data: found.data.map(achievementView) };
  },
});

interface Filter {
  status?: string[] | undefined;
  q?: string | undefined;
}

function conditions(ctx: Ctx, { status, q = "" }: Filter) {
  const values: unknown[] = [ctx.orgId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1"];
  if (status) where.push(isAmong("status", "text", status, parameter));
  for (const word of wordsOf(q)) {
    const pattern = parameter(like(word));
    where.push(`search_fold(name) LIKE search_fold(${pattern})`);
  }
  return { where, parameter, values };
}
