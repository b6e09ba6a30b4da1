import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
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
    const found = await paginate(input, {
      binding: [ctx.orgId, "subjects", status, q, externalId],
      fetch: (range) => fetchSubjects(ctx, { status, q, externalId, ...range }),
      count: () => countSubjects(ctx, { status, q, externalId }),
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(subjectView) };
  },
});

interface Filter {
  status?: string | undefined;
  q?: string | undefined;
  externalId?: string | undefined;
}

function fetchSubjects(ctx: Ctx, { after, take, skip, ...filter }: Filter & { after: string | null; take: number; skip: number }) {
  const { where, values } = conditions(ctx, filter);
  if (after !== null) where.push(`id < $${values.push(after)}`);
  return reading(ctx).sql<SubjectRow>(
    `SELECT ${subjectColumns} FROM subjects WHERE ${where.join(" AND ")}
     ORDER BY id DESC LIMIT $${values.push(take)} OFFSET $${values.push(skip)}`,
    values,
    !filter.q,
  );
}

async function countSubjects(ctx: Ctx, filter: Filter): Promise<number> {
  const { where, values } = conditions(ctx, filter);
  const [row] = await reading(ctx).sql<{ n: number }>(`SELECT count(*) AS n FROM subjects WHERE ${where.join(" AND ")}`, values, !filter.q);
  return row!.n;
}

function conditions(ctx: Ctx, { status, q, externalId }: Filter): { where: string[]; values: unknown[] } {
  const values: unknown[] = [ctx.orgId];
  const where = ["org_id = $1"];
  if (status) where.push(`status = $${values.push(status)}`);
  if (externalId !== undefined) where.push(`external_id = $${values.push(externalId)}`);
  if (q) {
    const pattern = `%${q.replaceAll(/[\\%_]/g, "\\$&")}%`;
    where.push(`subject_search(display_name, email, external_id) LIKE search_fold($${values.push(pattern)})`);
  }
  return { where, values };
}
