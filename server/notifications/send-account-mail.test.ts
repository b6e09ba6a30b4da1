import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changePassword } from "@/server/access/change-password";
import { consoleSession } from "@/server/access/console-session";
import { listSecondFactors } from "@/server/access/second-factor/list-second-factors";
import { makeRecoveryCodes } from "@/server/access/second-factor/make-recovery-codes";
import { removeAuthenticator } from "@/server/access/second-factor/remove-authenticator";
import { resetSecondFactor } from "@/server/access/second-factor/reset-second-factor";
import { requestEmailVerification } from "@/server/access/request-email-verification";
import { requestPasswordReset } from "@/server/access/request-password-reset";
import { resetPassword } from "@/server/access/reset-password";
import { SecondFactorNeeded, signIn } from "@/server/access/sign-in";
import { verifyEmail } from "@/server/access/verify-email";
import type { Ctx } from "@/server/core/context";
import { newId, publicId } from "@/server/core/ids";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { inspectLink } from "@/server/organisations/inspect-link";
import { inviteMember } from "@/server/organisations/invite-member";
import { listInvitations } from "@/server/organisations/list-invitations";
import { listMembers } from "@/server/organisations/list-members";
import { updateOrganisation } from "@/server/organisations/update";
import { withdrawInvitation } from "@/server/organisations/withdraw-invitation";
import { auditOf } from "@/server/testing/audit";
import { runChild } from "@/server/testing/child";
import { headersOf, password, person, tokenIn, visitor } from "@/server/testing/person";
import { ownDatabase } from "@/server/testing/own-database";
import { sessionOf, withApp } from "@/server/testing/second-factor";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { sendAccountMail } from "./send-account-mail";
import { mailSettings, type MailSettings } from "./settings";
import { MailServer } from "./testing/mail-server";

const server = new MailServer();
let settings: MailSettings;
// The environment of the process configures mail, as an operator would, so that operations queue it.
beforeAll(async () => {
  settings = await server.start();
  process.env["SMTP_URL"] = `smtp://user:p%40ss@127.0.0.1:${settings.smtp.port}`;
  process.env["INVITATIONS_PER_HOUR"] = "8";
  process.env["MAIL_FROM"] = "Bonafide <bonafide@example.edu>";
  const drop = await ownDatabase();
  return async () => {
    await drop();
    await server.close();
  };
});
afterAll(() => {
  delete process.env["SMTP_URL"];
  delete process.env["MAIL_FROM"];
  delete process.env["INVITATIONS_PER_HOUR"];
});
beforeEach(async () => {
  await sql(`DELETE FROM account_mails`);
  server.received.length = 0;
});

const later = (ms: number) => new Date(Date.now() + ms);
const send = (now = new Date()) => sendAccountMail(mailSettings(), () => now);
const someone = () => `${newId("usr")}@example.edu`;
const lettersTo = (email: string) => server.received.filter(({ to }) => to.includes(email));
/** The link in the newest letter that has one. Letters of one batch arrive in any order. */
const linkTo = (email: string) =>
  lettersTo(email)
    .flatMap(({ source }) => /https?:\/\/localhost:3000\/\S+?token=[\w-]+/.exec(source) ?? [])
    .at(-1)!;

/** Makes a person with a verified address and no queued letter. */
async function reader(home: World) {
  const made = await person(home, "owner");
  await sql(`DELETE FROM account_mails WHERE email = $1`, [made.email]);
  return made;
}

/** A context of an owner in the console (not of the operator), with no queued letter. */
async function asOwner(home: World): Promise<Ctx> {
  const { claims } = await reader(home);
  return { ...home.ctx, actor: { type: "user", id: publicId("usr", claims.userId) } };
}

describe("an invitation", () => {
  it("goes to the address by e-mail, and its link is shown to nobody else", async () => {
    const home = await world();
    const email = someone();
    const made = await inviteMember(await asOwner(home), { email, role: "issuer" });
    expect(made.url).toBeNull();
    expect(await listInvitations(home.ctx, {})).toMatchObject([{ email, mail: "pending" }]);
    await send();
    expect(server.subjectsTo(email)).toEqual(["Join “Test Organisation” on Bonafide"]);
    expect(await listInvitations(home.ctx, {})).toMatchObject([{ email, mail: "sent" }]);
    const [kept] = await sql<{ all: string }>(
      `SELECT row_to_json(m)::text AS all FROM account_mails m WHERE email = $1`,
      [email],
    );
    expect(kept!.all).toContain('"link":null');
    await acceptInvitation(visitor(), { token: tokenIn(linkTo(email)), name: "Grace", password });
    const session = await sessionOf(await headersOf(await signIn(visitor(), { email, password })));
    expect(await listSecondFactors(visitor(), session)).toMatchObject({ emailVerified: true });
  });

  it("by the operator returns a link to pass on; the address is then verified by a mailed link", async () => {
    const home = await world();
    const email = someone();
    const { url } = await inviteMember(home.ctx, { email, role: "issuer" });
    await acceptInvitation(visitor(), { token: tokenIn(url), password });
    await send();
    expect(server.subjectsTo(email)).toEqual(["Verify your e-mail address for Bonafide"]);
    const link = linkTo(email);
    expect(await inspectLink(visitor(), { token: tokenIn(link) })).toMatchObject({
      purpose: "email_verification",
      email,
    });
    await verifyEmail(visitor(), { token: tokenIn(link) });
    await expect(verifyEmail(visitor(), { token: tokenIn(link) })).rejects.toMatchObject({ code: "link_unusable" });
    const session = await sessionOf(await headersOf(await signIn(visitor(), { email, password })));
    expect(await listSecondFactors(visitor(), session)).toMatchObject({ emailVerified: true });
    expect(await auditOf(home.orgId)).toContain("user.email_verified");
  });

  it("is sent again with a new link, and not sent once it was withdrawn", async () => {
    const home = await world();
    const email = someone();
    await inviteMember(await asOwner(home), { email, role: "issuer" });
    await send();
    const first = linkTo(email);
    await inviteMember(await asOwner(home), { email, role: "issuer" });
    await send();
    expect(lettersTo(email)).toHaveLength(2);
    await expect(inspectLink(visitor(), { token: tokenIn(first) })).rejects.toMatchObject({ code: "link_unusable" });
    const other = someone();
    const { id } = await inviteMember(await asOwner(home), { email: other, role: "viewer" });
    await withdrawInvitation(home.ctx, { id });
    expect(await send()).toEqual({ sent: 0 });
    expect(lettersTo(other)).toEqual([]);
  });

  it("names the organisation in quotes and shortened, and omits a name that looks like a link", async () => {
    const home = await world();
    const owner = await asOwner(home);
    const subjectOf = async (name: string) => {
      await updateOrganisation(home.ctx, { name });
      const email = someone();
      await inviteMember(owner, { email, role: "viewer" });
      await send();
      expect(lettersTo(email)[0]!.source).not.toContain("evil.example");
      return server.subjectsTo(email)[0];
    };
    expect(await subjectOf("Your parcel waits at https://evil.example/pay")).toBe("Join an organisation on Bonafide");
    expect(await subjectOf("Win at evil.example now")).toBe("Join an organisation on Bonafide");
    // The full stops of Chinese and Japanese, which programs read as dots of a host name (UTS 46).
    for (const stop of ["\u3002", "\uFF0E", "\uFF61"])
      expect(await subjectOf(`Win at evil${stop}example now`)).toBe("Join an organisation on Bonafide");
    expect(await subjectOf("St. Mary's College")).toBe("Join “St. Mary's College” on Bonafide");
    expect(await subjectOf("A".repeat(200))).toBe(`Join “${"A".repeat(60)}” on Bonafide`);
  });

  it("is limited to five per address and hour, across organisations", async () => {
    const [home, other] = [await world(), await world()];
    const [owner, another] = [await asOwner(home), await asOwner(other)];
    const email = someone();
    for (let i = 0; i < 5; i++) await inviteMember(i % 2 ? another : owner, { email, role: "viewer" });
    await expect(inviteMember(owner, { email, role: "viewer" })).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("junk folder"),
    });
    await inviteMember({ ...owner, now: later(3_600_001) }, { email, role: "viewer" });
  });

  it("is limited per organisation and hour, as the operator configures", async () => {
    const owner = await asOwner(await world());
    const invited = await Promise.allSettled(
      Array.from({ length: 10 }, () => inviteMember(owner, { email: someone(), role: "viewer" })),
    );
    const refused = invited.flatMap((each) =>
      each.status === "rejected" ? [(each.reason as { code: string }).code] : [],
    );
    expect(refused).toEqual(["rate_limited", "rate_limited"]);
  });

  it("is retried after a temporary refusal of the SMTP server, and fails after a permanent one", async () => {
    const home = await world();
    const [busy, gone] = [someone(), someone()];
    await inviteMember(await asOwner(home), { email: busy, role: "viewer" });
    await inviteMember(await asOwner(home), { email: gone, role: "viewer" });
    server.answer = (to) => (to === busy ? 451 : 550);
    await send();
    const states = async () => Object.fromEntries((await listInvitations(home.ctx, {})).map((i) => [i.email, i.mail]));
    expect(await states()).toEqual({ [busy]: "pending", [gone]: "failed" });
    server.answer = () => 0;
    await send();
    expect(lettersTo(busy)).toEqual([]);
    await send(later(61_000));
    expect(await states()).toEqual({ [busy]: "sent", [gone]: "failed" });
  });

  it("stays sent if a process that lost its lease later reports a failed attempt", async () => {
    const home = await world();
    const email = someone();
    await inviteMember(await asOwner(home), { email, role: "issuer" });
    const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.hold = () => {
      server.hold = undefined;
      begun.resolve();
      return answer.promise;
    };
    const slow = send();
    await begun.promise;
    expect(await send(later(4 * 60_000))).toEqual({ sent: 0 });
    expect(await send(later(6 * 60_000))).toEqual({ sent: 1 });
    answer.reject(new Error("too late"));
    expect(await slow).toEqual({ sent: 0 });
    expect(await listInvitations(home.ctx, {})).toMatchObject([{ email, mail: "sent" }]);
    expect(await send(later(20 * 60_000))).toEqual({ sent: 0 });
    expect(lettersTo(email)).toHaveLength(1);
  });

  it("is sent by another process after the lease of one that was killed while it sent", async () => {
    const home = await world();
    const email = someone();
    await inviteMember(await asOwner(home), { email, role: "issuer" });
    const begun = Promise.withResolvers<void>();
    server.hold = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    const child = await runChild("server/notifications/testing/account-mail.child.ts");
    await begun.promise;
    await child.kill();
    server.hold = undefined;
    expect(await send(later(4 * 60_000))).toEqual({ sent: 0 });
    expect(await send(later(6 * 60_000))).toEqual({ sent: 1 });
    expect(await send(later(20 * 60_000))).toEqual({ sent: 0 });
    expect(lettersTo(email)).toHaveLength(1);
    expect(await listInvitations(home.ctx, {})).toMatchObject([{ email, mail: "sent" }]);
  });

  it("lets the reader of the mailbox take over an account with an unverified address, and ends all older ways to sign in", async () => {
    const [squatted, home] = [await world(), await world()];
    const email = someone();
    const byHand = tokenIn((await inviteMember(squatted.ctx, { email, role: "owner" })).url);
    await acceptInvitation(visitor(), { token: byHand, password });
    const headers = await headersOf(await signIn(visitor(), { email, password }));
    await withApp(headers);
    await sql(`DELETE FROM account_mails WHERE email = $1`, [email]);
    await inviteMember(await asOwner(home), { email, role: "viewer" });
    await send();
    const token = tokenIn(linkTo(email));
    expect(await inspectLink(visitor(), { token })).toMatchObject({ hasAccount: true, canTakeOver: true });
    const chosen = "a password of the mailbox's owner";
    await expect(acceptInvitation(visitor(), { token, password: chosen })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    await acceptInvitation(visitor(), { token, password: chosen, takeOver: true });
    expect(await consoleSession(headers)).toBeNull();
    await expect(signIn(visitor(), { email, password })).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await signIn(visitor(), { email, password: chosen })).toBeTruthy();
    expect((await listMembers(home.ctx, {})).data.find((member) => member.email === email)).toMatchObject({
      role: "viewer",
      hasSecondFactor: false,
    });
    expect(await auditOf(squatted.orgId)).toContain("user.taken_over");
  });

  it("lets nobody take over an account with a verified address, or by a link that was not mailed", async () => {
    const [home, second] = [await world(), await world()];
    const verified = await reader(home);
    await inviteMember(await asOwner(second), { email: verified.email, role: "viewer" });
    await send();
    const token = tokenIn(linkTo(verified.email));
    expect(await inspectLink(visitor(), { token })).toMatchObject({ canTakeOver: false });
    await expect(
      acceptInvitation(visitor(), { token, password: "another good password", takeOver: true }),
    ).rejects.toMatchObject({ code: "invalid_credentials" });
    const email = someone();
    await acceptInvitation(visitor(), {
      token: tokenIn((await inviteMember(home.ctx, { email, role: "viewer" })).url),
      password,
    });
    const byHand = tokenIn((await inviteMember(second.ctx, { email, role: "viewer" })).url);
    await expect(
      acceptInvitation(visitor(), { token: byHand, password: "another good password", takeOver: true }),
    ).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await signIn(visitor(), { email, password })).toBeTruthy();
  });
});

describe("a changed password", () => {
  it("is reported to the person at their verified address", async () => {
    const { email, headers } = await person(await world(), "owner");
    await sql(`UPDATE users SET email_verified_at = now() WHERE email = $1`, [email]);
    await sql(`DELETE FROM account_mails WHERE email = $1`, [email]);
    await changePassword(visitor(), (await consoleSession(headers))!, {
      current: password,
      password: "another good password",
    });
    await send();
    expect(server.subjectsTo(email)).toEqual(["Your Bonafide password was changed"]);
    expect(lettersTo(email)[0]!.source).toContain("http://localhost:3000/forgot-password");
  });

  it("is not mailed to an unverified address", async () => {
    const { email, headers } = await person(await world(), "owner");
    await sql(`UPDATE users SET email_verified_at = NULL WHERE email = $1`, [email]);
    await sql(`DELETE FROM account_mails WHERE email = $1`, [email]);
    await changePassword(visitor(), (await consoleSession(headers))!, {
      current: password,
      password: "another good password",
    });
    expect(await sql(`SELECT 1 FROM account_mails WHERE email = $1`, [email])).toEqual([]);
  });
});

describe("a changed way to sign in", () => {
  it("is reported each time to the person at their verified address", async () => {
    const { email, headers } = await reader(await world());
    await withApp(headers);
    const session = await sessionOf(headers);
    await makeRecoveryCodes(visitor(), session, { password });
    await removeAuthenticator(visitor(), session, { password });
    await send();
    expect(server.subjectsTo(email).sort()).toEqual([
      "An authenticator app was added to your account on Bonafide",
      "New recovery codes were made for your account on Bonafide",
      "The authenticator app was removed from your account on Bonafide",
    ]);
    expect(lettersTo(email)[0]!.source).toContain("If it was not you");
  });

  it("is reported if the operator resets it, but not to an unverified address", async () => {
    const home = await world();
    const [told, untold] = [await reader(home), await reader(home)];
    await sql(`UPDATE users SET email_verified_at = NULL WHERE email = $1`, [untold.email]);
    for (const { email } of [told, untold]) await resetSecondFactor(home.ctx, { email });
    await send();
    expect(server.subjectsTo(told.email)).toEqual([
      "The second factors of your account were reset by the operator on Bonafide",
    ]);
    expect(lettersTo(untold.email)).toEqual([]);
  });
});

describe("a forgotten password", () => {
  it("is reset by a link that works once within half an hour, which ends all sessions", async () => {
    const home = await world();
    const { email, headers } = await reader(home);
    await requestPasswordReset(visitor(), { email: ` ${email.toUpperCase()}` });
    await send();
    expect(server.subjectsTo(email)).toEqual(["Choose a new password for Bonafide"]);
    const token = tokenIn(linkTo(email));
    const stored = await sql<{ all: string }>(
      `SELECT row_to_json(l)::text AS all FROM one_time_links l WHERE email = $1`,
      [email],
    );
    expect(JSON.stringify(stored)).not.toContain(token);
    await expect(
      resetPassword(visitor(later(31 * 60_000)), { token, password: "another good password" }),
    ).rejects.toMatchObject({ code: "link_unusable" });
    await resetPassword(visitor(), { token, password: "another good password" });
    expect(await consoleSession(headers)).toBeNull();
    await expect(resetPassword(visitor(), { token, password: "a third good password" })).rejects.toMatchObject({
      code: "link_unusable",
    });
    expect(await signIn(visitor(), { email, password: "another good password" })).toBeTruthy();
    expect((await auditOf(home.orgId)).filter((a) => a.startsWith("user.password"))).toEqual([
      "user.password_reset_requested",
      "user.password_changed",
    ]);
  });

  it("can be reset without changing the second factor", async () => {
    const { email, headers } = await reader(await world());
    await withApp(headers);
    await requestPasswordReset(visitor(), { email });
    await send();
    await resetPassword(visitor(), { token: tokenIn(linkTo(email)), password: "another good password" });
    await expect(signIn(visitor(), { email, password: "another good password" })).rejects.toBeInstanceOf(
      SecondFactorNeeded,
    );
  });

  it("is handled the same for every address when requested, and mailed only to verified ones", async () => {
    const home = await world();
    const { email } = await reader(home);
    const unverified = someone();
    await acceptInvitation(visitor(), {
      token: tokenIn((await inviteMember(home.ctx, { email: unverified, role: "viewer" })).url),
      password,
    });
    await sql(`DELETE FROM account_mails`);
    const asked = [email, unverified, someone()];
    for (const each of asked) expect(await requestPasswordReset(visitor(), { email: each })).toBeUndefined();
    const queued = await sql<{ email: string }>(
      `SELECT email, kind, state, link_id, link FROM account_mails ORDER BY id`,
    );
    expect(queued).toEqual(
      asked.map((each) => ({ email: each, kind: "password_reset", state: "pending", link_id: null, link: null })),
    );
    expect(await send()).toEqual({ sent: 1 });
    expect(server.received.map(({ to }) => to)).toEqual([[email]]);
    expect(await send(later(86_400_000))).toEqual({ sent: 0 });
  });

  it("is limited by network when requested, and by account when mailed", async () => {
    const { email } = await reader(await world());
    const asker = visitor();
    for (let i = 0; i < 10; i++) await requestPasswordReset(asker, { email });
    await expect(requestPasswordReset(asker, { email })).rejects.toMatchObject({ code: "rate_limited" });
    await send();
    expect(server.subjectsTo(email).filter((s) => s.startsWith("Choose"))).toHaveLength(3);
  });

  it("gets no reset link once the password was changed", async () => {
    const { email, headers } = await reader(await world());
    await requestPasswordReset(visitor(), { email });
    server.answer = () => 451;
    await send();
    server.answer = () => 0;
    await changePassword(visitor(), await sessionOf(headers), { current: password, password: "another good password" });
    await send(later(61_000));
    expect(server.subjectsTo(email)).toEqual(["Your Bonafide password was changed"]);
  });
});

it("a person can request at most three links an hour to verify their address", async () => {
  const { headers, email } = await reader(await world());
  for (let i = 0; i < 3; i++) await requestEmailVerification(visitor(), await sessionOf(headers), {});
  await expect(requestEmailVerification(visitor(), await sessionOf(headers), {})).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("Try again in 60 minutes."),
    extras: { headers: { "retry-after": expect.stringMatching(/^3[56]\d\d$/) } },
  });
  expect(await send()).toEqual({ sent: 1 });
  expect(server.subjectsTo(email)).toEqual(["Verify your e-mail address for Bonafide"]);
});
