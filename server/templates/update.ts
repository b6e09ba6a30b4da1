import { z } from "zod";
import { audit } from "@/server/access/audit";
import { isUniqueViolation } from "@/server/core/db";
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
    // The unique key decides, so that of several who take a slug at once one does.
    const [row] = await ctx.tx.sql<TemplateRow>(
      `UPDATE templates SET name = $3, slug = $4, updated_at = $5 WHERE org_id = $1 AND id = $2 RETURNING ${templateColumns}`,
      [ctx.orgId, before.id, next.name, next.slug, ctx.now],
    ).catch((error: unknown) => {
      throw isUniqueViolation(error) ? slugTaken(next.slug) : error;
    });
    await audit(ctx, "template.updated", { type: "template", id: before.id }, { ...next, previous: { name: before.name, slug: before.slug } });
    return templateView(row!);
  },
});
