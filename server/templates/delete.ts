import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { loadTemplate } from "./load";
import { templateTag, templateView } from "./view";

/**
 * Deletes a template that was never published, with its drafts. A template that was published stays, because
 * credentials may have been issued from it and other systems may know its id; archive its version instead. Leaves an
 * audit entry.
 *
 * @throws DomainError template_in_use
 */
export const deleteTemplate = command({
  name: "templates.delete",
  scope: "templates:write",
  input: z.strictObject({ id: id("tpl"), ifMatch }),
  async run(ctx, input) {
    // Publishing takes the same lock, and nothing is issued from a template that was never published.
    const template = await loadTemplate(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, templateTag(templateView(template)));
    const [used] = await ctx.tx.sql(
      `SELECT 1 FROM template_versions WHERE org_id = $1 AND template_id = $2 AND published_at IS NOT NULL
       UNION ALL SELECT 1 FROM credentials WHERE org_id = $1 AND template_id = $2 LIMIT 1`,
      [ctx.orgId, template.id],
    );
    if (used)
      throw new DomainError(
        "template_in_use",
        "Only a template that was never published can be deleted. Archive its current version: then nothing more is issued from it, and what was issued stays.",
      );
    await ctx.tx.sql(`DELETE FROM templates WHERE org_id = $1 AND id = $2`, [ctx.orgId, template.id]);
    await audit(
      ctx,
      "template.deleted",
      { type: "template", id: publicId("tpl", template.id) },
      { name: template.name, kind: template.kind, slug: template.slug },
    );
  },
});
