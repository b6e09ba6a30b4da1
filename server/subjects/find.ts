import { z } from "zod";
import { reading } from "@/server/core/db";
import type { Ctx } from "@/server/core/context";
import { query } from "@/server/core/operation";
import { wordsOf } from "@/server/core/words";
import { conditions, subjectFilters, type SubjectFilter } from "./filter";
import { closeness } from "./closeness";
import { fetchSubjects, orderOfSubjects } from "./list";
import { searchSubjects } from "./search";
import { subjectColumns, subjectView, type SubjectRow } from "./view";

/**
 * The number of matches that are sorted. A person who is not among the newest matches is found by the full id, or by
 * the beginning of the name.
 */
const looked = 100;

/**
 * Finds subjects to choose from: who has the text as name, e-mail or external id first, then for whom one of them
 * begins with it, then who has its words anywhere; among equals the newest first. `total` says how many match, null for
 * more than were looked at.
 */
export const findSubjectsToChoose = query({
  name: "subjects.find",
  scope: "subjects:read",
  input: z.strictObject({
    q: z.string().trim().max(200),
    status: subjectFilters.status,
    limit: z.int().min(1).max(25),
  }),
  async run(ctx, { q, status, limit }) {
    const filter = { status };
    const order = orderOfSubjects(undefined, filter);
    const range = { after: null, take: looked + 1, skip: 0 };
    const words = wordsOf(q);
    if (words.length === 0) {
      const rows = await fetchSubjects(ctx, filter, order, { ...range, take: limit });
      return { data: rows.map(subjectView), total: rows.length };
    }
    const [byWords, close] = [await searchSubjects(ctx, words, filter, order, range), await closest(ctx, q, filter)];
    const found = new Map([...close, ...byWords].map((row) => [row.id, subjectView(row)]));
    const data = [...found.values()].sort(
      (a, b) => closeness(q, a) - closeness(q, b) || b.createdAt.localeCompare(a.createdAt),
    );
    return { data: data.slice(0, limit), total: byWords.length > looked ? null : found.size };
  },
});

/**
 * People with this external id, and people whose name begins with the text, each found by an index, however many match.
 */
function closest(ctx: Ctx, text: string, filter: SubjectFilter): Promise<SubjectRow[]> {
  const { where, parameter, values } = conditions(ctx, filter);
  const begin = `search_fold(${parameter(text)})`;
  const name = `search_fold(display_name) COLLATE "C"`;
  return reading(ctx).sql<SubjectRow>(
    `(SELECT ${subjectColumns} FROM subjects WHERE ${where} AND external_id = ${parameter(text)})
     UNION ALL
     (SELECT ${subjectColumns} FROM subjects WHERE ${where} AND ${name} >= ${begin} AND ${name} < ${begin} || chr(1114111)
      ORDER BY ${name} LIMIT 25)`,
    values,
  );
}
