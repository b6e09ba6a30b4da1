import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { isAmong, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { orderBy, sortBy, type Sorted, type SortFields } from "@/server/core/sorting";
import { like, wordsOf } from "@/server/core/words";
import { externalIds, isExternalId } from "@/server/subjects/external-id";
import { groupColumns, groupKinds, groupView, type GroupRow } from "./view";

const groupSorts = {
  createdAt: null,
  updatedAt: { key: "updated_at", type: "timestamptz" },
  name: { key: `(search_fold(name) COLLATE "C")`, type: "text" },
} as const satisfies SortFields;

/** Lists groups, newest first. */
export const listGroups = query({
  name: "groups.list",
  scope: "groups:read",
  input: z.strictObject({
    kind: severalOf(groupKinds).optional(),
    externalId: externalIds.optional(),
    q: z
      .string()
      .trim()
      .max(200)
      .optional()
      .meta({ description: "Words, in any order, each part of name, description or external id." }),
    sort: sortBy(groupSorts, "Newest first unless sent."),
    ...page,
  }),
  async run(ctx, input) {
    const { limit: _, cursor: __, offset: ___, sort = "-createdAt", ...filter } = input;
    const order = orderBy(sort, groupSorts);
    const found = await paginate(input, {
      binding: [ctx.orgId, "groups", order.by, filter],
      fetch({ after, take, skip }) {
        const { where, parameter, values } = conditions(ctx, filter);
        if (after !== null) where.push(order.beyond(after, parameter));
        return reading(ctx).sql<GroupRow & Sorted>(
          `SELECT ${groupColumns}${order.select} FROM groups WHERE ${where.join(" AND ")} ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
          values,
        );
      },
      async count() {
        const { where, values } = conditions(ctx, filter);
        const [row] = await reading(ctx).sql<{ n: number }>(
          `SELECT count(*) AS n FROM groups WHERE ${where.join(" AND ")}`,
          values,
        );
        return row!.n;
      },
      keyOf: order.keyOf,
    });
    return { ...found, data: found.data.map(groupView) };
  },
});

interface Filter {
  kind?: string[] | undefined;
  externalId?: z.output<typeof externalIds> | undefined;
  q?: string | undefined;
}

function conditions(ctx: Ctx, { kind, externalId, q = "" }: Filter) {
  const values: unknown[] = [ctx.orgId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1"];
  if (kind) where.push(isAmong("kind", "text", kind, parameter));
  if (externalId) where.push(isExternalId("groups", externalId, parameter));
  for (const word of wordsOf(q))
    where.push(
      `search_fold(concat_ws(' ', name, description, external_id)) LIKE search_fold(${parameter(like(word))})`,
    );
  return { where, parameter, values };
}
