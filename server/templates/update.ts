import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { isUniqueViolation } from "@/server/core/db";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { checkMergedMetadata, metadata } from "@/server/core/free-json";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { mergeMessages, messageSettings } from "@/server/message-texts/settings";
import { automaticKinds } from "@/server/message-texts/kinds";
import { confirmName, repeatable, slug, templateName } from "./input";
import { loadTemplate } from "./load";
import { slugTaken } from "./slug";
import { templateColumns, templateTag, templateView, type TemplateRow } from "./view";

/**
 * Changes a template's name, slug, messages to holders, metadata and whether holders confirm their name, and until its
 * first publication whether it is repeatable; design and validity belong to its versions. Leaves an audit entry.
 * Messages that are already queued stay queued; each has the text of the moment when it is sent.
 *
 * @throws DomainError `slug_taken`; `template_in_use` if a published template was to become repeatable, or not
 */
export const updateTemplate = command({
  name: "templates.update",
  scope: "templates:write",
  input: z.strictObject({
    id: id("tpl"),
    ifMatch,
    name: templateName.optional(),
    slug: slug.optional(),
    repeatable: repeatable.optional(),
    confirmName: confirmName.optional(),
    messages: messageSettings.optional(),
    metadata,
  }),
  tag: templateTag,
  async run(ctx, input) {
    const before = await loadTemplate(ctx, input.id, "FOR UPDATE");
    requireMatch(input.ifMatch, templateTag(templateView(before)));
    const next = {
      name: input.name ?? before.name,
      slug: input.slug ?? before.slug,
      repeatable: input.repeatable ?? before.repeatable,
      confirmName: input.confirmName ?? before.confirm_name,
      kinds: automaticKinds.filter((kind) => (input.messages?.automatic ?? before.message_kinds).includes(kind)),
      expiringDays: input.messages?.expiringDays ?? before.expiring_days,
      messages: mergeMessages(before.messages, input.messages ?? {}),
    };
    if (next.repeatable !== before.repeatable) await requireUnpublished(ctx, before);
    // The unique key decides: if several requests take a slug at once, one succeeds.
    const [row] = await ctx.tx
      .sql<TemplateRow>(
        `UPDATE templates SET name = $3, slug = $4, repeatable = $7, metadata = merge_attributes(metadata, $6), message_kinds = $8, expiring_days = $9, messages = $10, confirm_name = $11, updated_at = $5
       WHERE org_id = $1 AND id = $2 AND (name, slug, repeatable, metadata, message_kinds, expiring_days, messages, confirm_name)
         IS DISTINCT FROM ($3, $4, $7::boolean, merge_attributes(metadata, $6), $8::text[], $9::int, $10::jsonb, $11::boolean) RETURNING ${templateColumns}`,
        [
          ctx.orgId,
          before.id,
          next.name,
          next.slug,
          ctx.now,
          input.metadata ?? {},
          next.repeatable,
          next.kinds,
          next.expiringDays,
          next.messages,
          next.confirmName,
        ],
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
      auditDetail(before, row),
    );
    return templateView(row);
  },
});

/** Of a published template, people may hold one credential or several; the rule for them cannot change any more. */
async function requireUnpublished(ctx: TxCtx, { id: templateId, repeatable: is }: TemplateRow): Promise<void> {
  const [published] = await ctx.tx.sql(
    `SELECT FROM template_versions WHERE org_id = $1 AND template_id = $2 AND published_at IS NOT NULL LIMIT 1`,
    [ctx.orgId, templateId],
  );
  if (published)
    throw new DomainError(
      "template_in_use",
      `The template was published as ${is ? "a repeatable one" : "one that is not repeatable"}, which is fixed since then. Make another template ${is ? "without" : "with"} repeatable.`,
    );
}

function auditDetail(before: TemplateRow, after: TemplateRow) {
  const { name, slug, repeatable: is } = after;
  const moved = is !== before.repeatable;
  const asks = after.confirm_name !== before.confirm_name;
  const messages = changedMessages(before, after);
  return {
    name,
    slug,
    ...(moved && { repeatable: is }),
    ...(asks && { confirmName: after.confirm_name }),
    ...(messages && { messages: messages.now }),
    previous: {
      name: before.name,
      slug: before.slug,
      ...(moved && { repeatable: before.repeatable }),
      ...(asks && { confirmName: before.confirm_name }),
      ...(messages && { messages: messages.before }),
    },
  };
}

/**
 * Describes a change of message settings without their texts: only the kinds of changed texts. Null if nothing changed.
 */
function changedMessages(before: TemplateRow, now: TemplateRow) {
  const facts = (row: TemplateRow) => ({
    automatic: row.message_kinds,
    expiringDays: row.expiring_days,
    senderName: row.messages.senderName ?? null,
    replyTo: row.messages.replyTo ?? null,
    texts: Object.keys(row.messages.texts ?? {}),
  });
  const isSame =
    JSON.stringify([facts(before), before.messages.texts]) === JSON.stringify([facts(now), now.messages.texts]);
  return isSame ? null : { before: facts(before), now: facts(now) };
}
