import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { withTimeBounds } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate, type Range } from "@/server/core/pagination";
import { orderBy, sortBy, type Order, type Sorted } from "@/server/core/sorting";
import { wordsOf } from "@/server/core/words";
import { conditions, subjectFilters, subjectSorts, type SubjectFilter } from "./filter";
import { countFound, searchSubjects } from "./search";
import { sourcesOf } from "./sources";
import { subjectColumns, subjectView, type SubjectRow } from "./view";

/**
 * Lists subjects, newest first. `q` finds words in name, e-mail and external id, in any order, ignoring case and
 * accents.
 */
export const listSubjects = query({
  name: "subjects.list",
  scope: "subjects:read",
  input: z.strictObject({
    ...subjectFilters,
    q: z
      .string()
      .trim()
      .max(200)
      .optional()
      .meta({ description: "Words, in any order, each part of name, e-mail or external id." }),
    sort: sortBy(subjectSorts, "Newest first unless sent."),
    ...page,
  }),
  async run(ctx, input) {
    const { limit: _, cursor: __, offset: ___, q, sort, ...filter } = input;
    const order = orderOfSubjects(sort, filter);
    const words = wordsOf(q ?? "");
    const asked = await withTimeBounds(ctx.orgId, "subjects", filter);
    const found = await paginate(input, {
      binding: [ctx.orgId, "subjects", words, order.by, filter],
      fetch: (range) =>
        words.length > 0 ? searchSubjects(ctx, words, asked, order, range) : fetchSubjects(ctx, asked, order, range),
      count: () => (words.length > 0 ? countFound(ctx, words, asked) : countSubjects(ctx, asked)),
      keyOf: order.keyOf,
    });
    const sources = await sourcesOf(
      ctx,
      found.data.map((row) => row.id),
    );
    return { ...found, data: found.data.map((row) => ({ ...subjectView(row), sources: sources.get(row.id)! })) };
  },
});

export function orderOfSubjects(sort: string | undefined, { updatedAfter, updatedBefore }: SubjectFilter): Order {
  return orderBy(sort ?? ((updatedAfter ?? updatedBefore) ? "-updatedAt" : "-createdAt"), subjectSorts);
}

/** Fetches a page of subjects. */
export function fetchSubjects(
  ctx: Ctx,
  filter: SubjectFilter,
  order: Order,
  { after, take, skip }: Range,
): Promise<(SubjectRow & Sorted)[]> {
  const { where, from, parameter, values } = conditions(ctx, filter, { order, after });
  return reading(ctx).sql(
    `SELECT ${subjectColumns}${order.select} FROM ${from()} WHERE ${where} ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
    values,
    !(filter.createdAfter ?? filter.createdBefore ?? filter.updatedAfter ?? filter.updatedBefore),
  );
}

async function countSubjects(ctx: Ctx, filter: SubjectFilter): Promise<number> {
  const { where, from, values } = conditions(ctx, filter);
  const [row] = await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM ${from()} WHERE ${where}`, values);
  return row!.n;
}
