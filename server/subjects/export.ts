import { z } from "zod";
import { csvDownload } from "@/server/core/csv";
import { withTimeBounds } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { sortBy } from "@/server/core/sorting";
import { wordsOf } from "@/server/core/words";
import { subjectFilters, subjectSorts } from "./filter";
import { fetchSubjects, orderOfSubjects } from "./list";
import { searchSubjects } from "./search";
import { subjectView } from "./view";

const columns = [
  "id",
  "externalId",
  "displayName",
  "email",
  "status",
  "attributes",
  "photoUpdatedAt",
  "createdAt",
  "updatedAt",
] as const;

/** All subjects that a list with these filters shows, as CSV. */
export const exportSubjects = query({
  name: "subjects.export",
  scope: "subjects:read",
  input: z.strictObject({
    ...subjectFilters,
    q: z.string().trim().max(200).optional(),
    sort: sortBy(subjectSorts, "Newest first unless sent."),
  }),
  async run(ctx, { q, sort, ...filter }) {
    const order = orderOfSubjects(sort, filter);
    const asked = await withTimeBounds(ctx.orgId, "subjects", filter);
    const words = wordsOf(q ?? "");
    return csvDownload({
      fileName: `subjects-${ctx.now.toISOString().slice(0, 10)}.csv`,
      columns,
      fetch: (after, take) =>
        words.length > 0
          ? searchSubjects(ctx, words, asked, order, { after, take, skip: 0 })
          : fetchSubjects(ctx, asked, order, { after, take, skip: 0 }),
      keyOf: order.keyOf,
      values: (rows) =>
        rows.map((row) => {
          const view = subjectView(row);
          return columns.map((column) => view[column]);
        }),
    });
  },
});
