import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadTemplate } from "./load";
import { versionSummaryColumns, versionSummaryView, type VersionSummaryRow } from "./view";

/** Lists the versions of a template, newest first, without their designs, which hold images. */
export const listTemplateVersions = query({
  name: "templates.versions.list",
  scope: "templates:read",
  input: z.strictObject({ id: id("tpl"), ...page }),
  async run(ctx, input) {
    const template = await loadTemplate(ctx, input.id);
    const { sql } = reading(ctx);
    const found = await paginate(input, {
      binding: [ctx.orgId, "template_versions", template.id],
      fetch: ({ after, take, skip }) =>
        sql<VersionSummaryRow>(
          `SELECT ${versionSummaryColumns} FROM template_versions WHERE org_id = $1 AND template_id = $2 AND ($3::int IS NULL OR version < $3)
           ORDER BY version DESC LIMIT $4 OFFSET $5`,
          [ctx.orgId, template.id, after, take, skip],
        ),
      count: async () =>
        (
          await sql<{ n: number }>(
            `SELECT count(*) AS n FROM template_versions WHERE org_id = $1 AND template_id = $2`,
            [ctx.orgId, template.id],
          )
        )[0]!.n,
      keyOf: (row) => String(row.version),
    });
    return { ...found, data: found.data.map(versionSummaryView) };
  },
});
