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
import { mailLogo } from "./mail-logo";

/** The input of a preview and of a test message: the entered settings, which may be unsaved. */
export const sampleInput = z.strictObject({
  id: id("tpl"),
  kind: z.enum(automaticKinds),
  subjectId: id("sub").optional(),
  messages: messageDefaults.optional(),
});

/**
 * Renders a message as a person would get it, with the entered settings. Uses example values if the person has no
 * credential. The HTML must be shown in a sandboxed frame that runs no scripts and loads nothing.
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
    const logo = await mailLogo(ctx.orgId, facts.logo, ctx.now);
    const { senderName, replyTo, subject, text, html } = messageLetter(facts, input.kind, ctx.now, logo);
    return {
      from: senderName ?? env().MAIL_FROM ?? "Bonafide",
      to: facts.email,
      replyTo,
      subject,
      text,
      html: logo ? html.replace(logoAddress, logo.url) : html,
      isExample: found.isExample,
      hasMailServer: env().SMTP_URL !== undefined,
    };
  },
});
