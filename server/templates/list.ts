import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { versionStatuses } from "./states";
import { templateColumns, templateKinds, templateView, type TemplateRow } from "./view";

/** Lists templates, newest first. */
export const listTemplates = query({
  name: "templates.list",
  scope: "templates:read",
  input: z.strictObject({
    status: z.enum(versionStatuses).optional(),
    kind: z.enum(templateKinds).optional(),
    q: z.string().trim().max(200).optional().meta({ description: "Part of name or slug." }),
    ...page,
  }),
  async run(ctx, input) {
    const { status, kind, q } = input;
    const found = await paginate(input, {
      binding: [ctx.orgId, "templates", status, kind, q],
      fetch: ({ after, take, skip }) =>
        select<TemplateRow>(ctx, templateColumns, { status, kind, q }, "AND ($6::text IS NULL OR id < $6) ORDER BY id DESC LIMIT $7 OFFSET $8", [after, take, skip]),
      count: async () => (await select<{ n: number }>(ctx, "count(*) AS n", { status, kind, q }, "", []))[0]!.n,
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(templateView) };
  },
});

interface Filter {
  status?: string | undefined;
  kind?: string | undefined;
  q?: string | undefined;
}

function select<Row extends object>(ctx: Ctx, columns: string, { status, kind, q }: Filter, rest: string, values: unknown[]): Promise<Row[]> {
  const pattern = q ? `%${q.replaceAll(/[\\%_]/g, "\\$&")}%` : null;
  return reading(ctx).sql<Row>(
    `SELECT ${columns} FROM templates WHERE org_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR kind = $3)
       AND ($4::text IS NULL OR search_fold(name) LIKE search_fold($4) OR slug LIKE lower($5)) ${rest}`,
    [ctx.orgId, status, kind, pattern, pattern, ...values],
  );
}
