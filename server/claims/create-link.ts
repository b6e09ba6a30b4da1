import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError, notFound } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { newCode } from "@/server/credentials/code";
import { linkFields } from "./input";
import { loadLink } from "./load";
import { claimLinkTag, claimLinkView } from "./view";

/**
 * Creates a claim link (contract section 7): a visitor of its page proves an e-mail address and gets a credential of the
 * template, at once or after approval. Requires subjects:write too, because claims add people. Leaves an audit entry.
 *
 * @throws DomainError not_found, template_not_published, template_archived
 */
export const createClaimLink = command({
  name: "claim_links.create",
  scope: "credentials:issue",
  alsoScope: "subjects:write",
  input: z.strictObject({ templateId: id("tpl"), ...linkFields }),
  tag: claimLinkTag,
  async run(ctx, input) {
    const [template] = await ctx.tx.sql<{ name: string; status: string; current_version: number | null }>(
      `SELECT name, status, current_version FROM templates WHERE org_id = $1 AND id = $2`,
      [ctx.orgId, input.templateId],
    );
    if (!template) throw notFound("template", publicId("tpl", input.templateId));
    if (template.status === "archived")
      throw new DomainError(
        "template_archived",
        "Nothing is issued from an archived template. Publish a version of it, or bring one back.",
      );
    if (template.current_version === null)
      throw new DomainError("template_not_published", "The template has no published version. Publish one first.");
    const linkId = newId("clk");
    await ctx.tx.sql(
      `INSERT INTO claim_links (org_id, id, code, name, template_id, max_claims, expires_at, approval, fields, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
      [
        ctx.orgId,
        linkId,
        newCode(),
        input.name || template.name,
        input.templateId,
        input.maxClaims ?? null,
        input.expiresAt ?? null,
        input.approval ?? false,
        input.fields ? JSON.stringify(input.fields) : null,
        ctx.now,
      ],
    );
    await audit(ctx, "claim_link.created", { type: "claim_link", id: publicId("clk", linkId) });
    return claimLinkView(await loadLink(ctx, linkId), ctx.now);
  },
});
