import { isDeepStrictEqual } from "node:util";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { mergeMessages, messageDefaults, messagesView, type StoredMessages } from "@/server/message-texts/settings";
import { organisationInput } from "./create";
import { organisationColumns, organisationTag, organisationView, type OrganisationRow } from "./view";

/**
 * Changes the organisation's name, time zone, locale, or the message settings that apply unless a template overrides
 * them. The slug is part of URLs and cannot change. Leaves an audit entry with the old and new values; none if nothing
 * changes.
 */
export const updateOrganisation = command({
  name: "organisations.update",
  scope: "settings:write",
  input: organisationInput.pick({ name: true, timeZone: true, locale: true }).partial().extend({
    messages: messageDefaults.optional(),
    ifMatch,
  }),
  tag: organisationTag,
  async run(ctx, input) {
    const [before] = await ctx.tx.sql<OrganisationRow>(
      `SELECT ${organisationColumns} FROM organisations WHERE id = $1 FOR UPDATE`,
      [ctx.orgId],
    );
    const was = organisationView(before!);
    requireMatch(input.ifMatch, organisationTag(was));
    const changes = (["name", "timeZone", "locale"] as const).flatMap((field) => {
      const to = input[field];
      return to === undefined || to === was[field] ? [] : [[field, { from: was[field], to }]];
    });
    const messages = mergeMessages(before!.messages, input.messages ?? {});
    const isSame = isDeepStrictEqual(messagesView(messages), was.messages);
    if (changes.length === 0 && isSame) return was;
    const [after] = await ctx.tx.sql<OrganisationRow>(
      `UPDATE organisations SET name = coalesce($2, name), time_zone = coalesce($3, time_zone), locale = coalesce($4, locale), messages = $6, updated_at = $5
       WHERE id = $1 RETURNING ${organisationColumns}`,
      [ctx.orgId, input.name ?? null, input.timeZone ?? null, input.locale ?? null, ctx.now, messages],
    );
    await audit(
      ctx,
      "organisation.updated",
      { type: "organisation", id: publicId("org", ctx.orgId) },
      {
        ...Object.fromEntries(changes),
        ...(!isSame && { messages: { from: withoutTexts(before!.messages), to: withoutTexts(messages) } }),
      },
    );
    return organisationView(after!);
  },
});

/** The value in the audit log: for texts, only the kinds that have one. */
const withoutTexts = ({ senderName, replyTo, texts }: StoredMessages) => ({
  senderName: senderName ?? null,
  replyTo: replyTo ?? null,
  texts: Object.keys(texts ?? {}),
});
