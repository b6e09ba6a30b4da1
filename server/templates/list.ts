import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { isAmong, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { orderBy, sortBy, type Sorted, type SortFields } from "@/server/core/sorting";
import { like, wordsOf } from "@/server/core/words";
import { versionStatuses } from "./states";
import { templateColumns, templateKinds, templateView, type TemplateRow } from "./view";

/** No index is needed: an organisation has few templates, and the primary key finds them all for any sort order. */
const templateSorts = {
  createdAt: null,
  updatedAt: { key: "updated_at", type: "timestamptz" },
  name: { key: `(search_fold(name) COLLATE "C")`, type: "text" },
} as const satisfies SortFields;

/** Lists templates, newest first. */
export const listTemplates = query({
  name: "templates.list",
  scope: "templates:read",
  input: z.strictObject({
    status: severalOf(versionStatuses).optional(),
    kind: severalOf(templateKinds).optional(),
    q: z.string().trim().max(200).optional().meta({ description: "Words, in any order, each part of name or slug." }),
    sort: sortBy(templateSorts, "Newest first unless sent."),
    ...page,
  }),
  async run(ctx, input) {
    const { limit: _, cursor: __, offset: ___, sort = "-createdAt", ...filter } = input;
    const order = orderBy(sort, templateSorts);
    const found = await paginate(input, {
      binding: [ctx.orgId, "templates", order.by, filter],
      fetch({ after, take, skip }) {
        const { where, parameter, values } = conditions(ctx, filter);
        if (after !== null) where.push(order.beyond(after, parameter));
        return reading(ctx).sql<TemplateRow & Sorted>(
          `SELECT ${templateColumns}${order.select} FROM templates WHERE ${where.join(" AND ")} ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
          values,
        );
      },
      async count() {
        const { where, values } = conditions(ctx, filter);
        return (
          await reading(ctx).sql<{ n: number }>(
            `SELECT count(*) AS n FROM templates WHERE ${where.join(" AND ")}`,
            values,
          )
        )[0]!.n;
      },
      keyOf: order.keyOf,
    });
    return { ...found, data: found.data.map(templateView) };
  },
});

interface Filter {
  status?: string[] | undefined;
  kind?: string[] | undefined;
  q?: string | undefined;
}

function conditions(ctx: Ctx, { status, kind, q = "" }: Filter) {
  const values: unknown[] = [ctx.orgId];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const where = ["org_id = $1"];
  if (status) where.push(isAmong("status", "text", status, parameter));
  if (kind) where.push(isAmong("kind", "text", kind, parameter));
  for (const word of wordsOf(q)) {
    const pattern = parameter(like(word));
    where.push(`(search_fold(name) LIKE search_fold(${pattern}) OR slug LIKE lower(${pattern}))`);
  }
  return { where, parameter, values };
}
