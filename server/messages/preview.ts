import { z } from "zod";
import { reading } from "@/server/core/db";
import { env } from "@/server/core/env";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { automaticKinds } from "@/server/message-texts/kinds";
import { mergeMessages, messageDefaults } from "@/server/message-texts/settings";
import { factsOfSample } from "./facts";
import { logoAddress, messageLetter } from "./letter";

/** What a preview and a test message show: the settings as entered, which need not be saved. */
export const sampleInput = z.strictObject({
  id: id("tpl"),
  kind: z.enum(automaticKinds),
  subjectId: id("sub").optional(),
  messages: messageDefaults.optional(),
});

/**
 * Shows a message as a person would get it, with the settings as entered. Without a credential of the person, examples
 * take its place. The HTML is for a frame that runs nothing and loads nothing.
 */
export const previewMessage = query({
  name: "templates.preview_message",
  scope: "templates:read",
  alsoScope: "subjects:read",
  input: sampleInput,
  async run(ctx, input) {
    const found = await factsOfSample(reading(ctx).sql, ctx.orgId, input.id, input.subjectId, ctx.now);
    if (!found) throw notFound("template", publicId("tpl", input.id));
    const facts = { ...found.facts, of_template: mergeMessages(found.facts.of_template, input.messages ?? {}) };
    const { senderName, replyTo, subject, text, html, logo } = messageLetter(facts, input.kind, ctx.now);
    return {
      from: senderName ?? env().MAIL_FROM ?? "Bonafide",
      to: facts.email,
      replyTo,
      subject,
      text,
      html: logo ? html.replace(logoAddress, logo) : html,
      isExample: found.isExample,
      hasMailServer: env().SMTP_URL !== undefined,
    };
  },
});
