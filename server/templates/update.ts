import { z } from "zod";
import { audit } from "@/server/access/audit";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { slug, templateName } from "./input";
import { loadTemplate } from "./load";
import { slugTaken } from "./slug";
import { templateColumns, templateView, type TemplateRow } from "./view";

/** Renames a template or gives it another slug. Leaves an audit entry; what a version holds is changed by versions. */
export const updateTemplate = command({
  name: "templates.update",
  scope: "templates:write",
  input: z.strictObject({ id, name: templateName.optional(), slug: slug.optional() }),
  async run(ctx, input) {
    const before = await loadTemplate(ctx, input.id, "FOR UPDATE");
    const next = { name: input.name ?? before.name, slug: input.slug ?? before.slug };
    if (next.name === before.name && next.slug === before.slug) return templateView(before);
    const row = await write(ctx.tx.sql, [ctx.orgId, before.id, next.name, next.slug, ctx.now]);
    if (!row) throw slugTaken(next.slug);
    await audit(ctx, "template.updated", { type: "template", id: row.id }, { ...next, previous: { name: before.name, slug: before.slug } });
    return templateView(row);
  },
});

async function write(sql: <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>, values: unknown[]): Promise<TemplateRow | undefined> {
  const [row] = await sql<TemplateRow>(
    `UPDATE templates SET name = $3, slug = $4, updated_at = $5 WHERE org_id = $1 AND id = $2
       AND NOT EXISTS (SELECT 1 FROM templates other WHERE other.org_id = $1 AND other.slug = $4 AND other.id <> $2)
     RETURNING ${templateColumns}`,
    values,
  );
  return row;
}
