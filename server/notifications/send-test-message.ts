import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { DomainError, notFound } from "@/server/core/errors";
import { newPublicId, publicId, readId } from "@/server/core/ids";
import { count, type Limit } from "@/server/core/limiter";
import { command } from "@/server/core/operation";
import { rateLimited } from "@/server/core/rate-limited";
import { mergeMessages } from "@/server/message-texts/settings";
import { factsOfSample } from "@/server/messages/facts";
import { messageLetter } from "@/server/messages/letter";
import { mailLogo } from "@/server/messages/mail-logo";
import { sampleInput } from "@/server/messages/preview";
import { mailOf } from "./attempt-message";
import { createMailer, handOverMail, type Outcome } from "./hand-over";
import { mailSettings } from "./settings";

/** The limit of test messages per person. */
const ofPerson: Limit = { name: "test-message", points: 20, seconds: 3600 };

/**
 * Sends a message as a recipient would get it to the person who requests it, with the entered settings, and waits for
 * the mail server. Leaves an audit entry.
 *
 * @throws DomainError mail_not_configured; unavailable if the mail server does not accept the message; person_required
 * and email_unverified unless a person with a verified address requests it; rate_limited
 */
export const sendTestMessage = command({
  name: "templates.send_test_message",
  scope: "templates:write",
  alsoScope: "subjects:read",
  input: sampleInput,
  standing: standingOf,
  async prepare(ctx, input) {
    const settings = mailSettings();
    if (!settings)
      throw new DomainError(
        "mail_not_configured",
        "This service has no mail server, so nothing was sent. The preview shows the message.",
      );
    const address = await ownAddress(ctx);
    const counted = count(ofPerson, ctx.actor.id ?? "");
    if (counted.isOver)
      throw rateLimited(`You sent ${ofPerson.points} test messages within an hour, the most.`, counted.msBeforeNext);
    const found = await factsOfSample(reading(ctx).sql, ctx.orgId, input.id, input.subjectId, ctx.now);
    if (!found) throw notFound("template", publicId("tpl", input.id));
    const facts = { ...found.facts, of_template: mergeMessages(found.facts.of_template, input.messages ?? {}) };
    const logo = await mailLogo(ctx.orgId, facts.logo, ctx.now);
    const letter = messageLetter(facts, input.kind, ctx.now, logo);
    const { outcome, reply } = await handOverMail(
      createMailer(settings),
      address,
      newPublicId("msg"),
      { ...mailOf(letter, settings), subject: `Test: ${letter.subject}` },
      { orgId: publicId("org", ctx.orgId), kind: "test" },
    );
    if (outcome !== "sent") throw new DomainError("unavailable", `${why[outcome]}${reply ? ` It said: ${reply}` : ""}`);
    return address;
  },
  async run(ctx, input, address) {
    await audit(
      ctx,
      "template.test_message_sent",
      { type: "template", id: publicId("tpl", input.id) },
      { kind: input.kind },
    );
    return { to: address };
  },
});

const why: Record<Exclude<Outcome, "sent">, string> = {
  bounced: "The mail server refuses your address.",
  refused: "The mail server refuses the message.",
  unwilling:
    "The mail server refuses the sender or the sign-in of this service. The operator has to look at its settings.",
  retry: "The mail server did not take the message. Try again later, or ask the operator.",
  unknown: "The connection to the mail server ended, so the message may have arrived or not.",
};

/** The verified address of the person who asks. */
async function ownAddress(ctx: Ctx): Promise<string> {
  const [user] =
    ctx.actor.type === "user"
      ? await reading(ctx).sql<{ email: string; verified: boolean }>(
          `SELECT email, email_verified_at IS NOT NULL AS verified FROM users WHERE id = $1`,
          [readId("usr", ctx.actor.id ?? "")],
        )
      : [];
  if (!user)
    throw new DomainError("person_required", "A test message goes to the person who is signed in to the console.");
  if (!user.verified)
    throw new DomainError(
      "email_unverified",
      "Your e-mail address is not verified. Verify it under Settings, Your account.",
    );
  return user.email;
}
