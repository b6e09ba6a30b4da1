import { z } from "zod";
import { audit } from "@/server/access/audit";
import { isUniqueViolation } from "@/server/core/db";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { checkMergedMetadata, metadata } from "@/server/core/free-json";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { slug, templateName } from "./input";
import { loadTemplate } from "./load";
import { slugTaken } from "./slug";
import { templateColumns, templateTag, templateView, type TemplateRow } from "./view";

/** Changes a template's name, slug or metadata; design and validity belong to its versions. Leaves an audit entry. */
export const updateTemplate = command({
  name: "templates.update",
  scope: "templates:write",
  input: z.strictObject({ id: id("tpl"), ifMatch, name: templateName.optional(), slug: slug.optional(), metadata }),
  tag: templateTag,
  async run(ctx, input) {
    const before = await loadTemplate(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, templateTag(templateView(before)));
    const next = { name: input.name ?? before.name, slug: input.slug ?? before.slug };
    // The unique key decides: if several requests take a slug at once, one succeeds.
    const [row] = await ctx.tx
      .sql<TemplateRow>(
        `UPDATE templates SET name = $3, slug = $4, metadata = merge_attributes(metadata, $6), updated_at = $5
       WHERE org_id = $1 AND id = $2 AND (name, slug, metadata) IS DISTINCT FROM ($3, $4, merge_attributes(metadata, $6)) RETURNING ${templateColumns}`,
        [ctx.orgId, before.id, next.name, next.slug, ctx.now, input.metadata ?? {}],
      )
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? slugTaken(next.slug) : error;
      });
    if (!row) return templateView(before);
    checkMergedMetadata(row.metadata);
    await audit(
      ctx,
      "template.updated",
      { type: "template", id: publicId("tpl", before.id) },
      { ...next, previous: { name: before.name, slug: before.slug } },
    );
    return templateView(row);
  },
});
