import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate, type Range } from "@/server/core/pagination";
import { conditions, type SubjectFilter } from "./filter";
import { countFound, searchSubjects } from "./search";
import { subjectColumns, subjectView, type SubjectRow } from "./view";

/** Lists subjects, newest first. `q` matches parts of name, e-mail and external id without regard to case and accents. */
export const listSubjects = query({
  name: "subjects.list",
  scope: "subjects:read",
  input: z.strictObject({
    status: z.enum(["active", "inactive"]).optional(),
    q: z.string().trim().max(200).optional().meta({ description: "Part of name, e-mail or external id." }),
    externalId: z.string().max(255).optional(),
    ...page,
  }),
  async run(ctx, input) {
    const { status, q, externalId } = input;
    const filter = { status, externalId };
    const found = await paginate(input, {
      binding: [ctx.orgId, "subjects", status, q, externalId],
      fetch: (range) => (q ? searchSubjects(ctx, q, filter, range) : fetchSubjects(ctx, filter, range)),
      count: () => (q ? countFound(ctx, q, filter) : countSubjects(ctx, filter)),
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(subjectView) };
  },
});

function fetchSubjects(ctx: Ctx, filter: SubjectFilter, { after, take, skip }: Range): Promise<SubjectRow[]> {
  const { where, parameter, values } = conditions(ctx, filter, after);
  return reading(ctx).sql<SubjectRow>(`SELECT ${subjectColumns} FROM subjects WHERE ${where} ORDER BY id DESC LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`, values);
}

async function countSubjects(ctx: Ctx, filter: SubjectFilter): Promise<number> {
  const { where, values } = conditions(ctx, filter);
  const [row] = await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM subjects WHERE ${where}`, values);
  return row!.n;
}
