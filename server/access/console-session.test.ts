import { describe, expect, it } from "vitest";
import { encode } from "next-auth/jwt";
import { publicId } from "@/server/core/ids";
import { changeRole } from "@/server/organisations/change-role";
import { removeMember } from "@/server/organisations/remove-member";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { inviteMember } from "@/server/organisations/invite-member";
import { auditOf } from "@/server/testing/audit";
import { headersOf, password, person, tokenIn, visitor } from "@/server/testing/person";
import { world } from "@/server/testing/world";
import { changePassword } from "./change-password";
import { consoleCtx, consoleSession, liveSession, sessionCookie, sessionSecret } from "./console-session";
import { createPasswordReset } from "./create-password-reset";
import { endOtherSessions } from "./end-other-sessions";
import { endSessions } from "./end-sessions";
import { listOwnSessions } from "./list-own-sessions";
import { resetPassword } from "./reset-password";
import { roleScopes } from "./roles";
import { signIn } from "./sign-in";
import { switchOrganisation } from "./switch-organisation";

const newPassword = "another good password";

describe("a session of the console", () => {
  it("acts for the person in their organisation, with the current scopes of their role", async () => {
    const home = await world();
    const { headers, claims, memberId } = await person(home, "viewer");
    const ctx = await consoleCtx(headers);
    expect(ctx).toMatchObject({
      orgId: home.orgId,
      actor: { type: "user", id: publicId("usr", claims.userId) },
      scopes: roleScopes.viewer,
    });
    await changeRole(home.ctx, { id: memberId, role: "issuer" });
    expect((await consoleCtx(headers))!.scopes).toBe(roleScopes.issuer);
  });

  it("ends when the password is reset by a link, which works once", async () => {
    const home = await world();
    const { email, headers } = await person(home, "owner");
    const { url } = await createPasswordReset(home.ctx, { email });
    const other = await createPasswordReset(home.ctx, { email });
    const resets = await Promise.allSettled(
      [1, 2, 3].map(() => resetPassword(visitor(), { token: tokenIn(url), password: newPassword })),
    );
    expect(resets.filter((r) => r.status === "fulfilled")).toHaveLength(1);
    expect(await consoleSession(headers)).toBeNull();
    await expect(signIn(visitor(), { email, password })).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(await consoleCtx(await headersOf(await signIn(visitor(), { email, password: newPassword })))).not.toBeNull();
    for (const used of [url, other.url]) {
      await expect(resetPassword(visitor(), { token: tokenIn(used), password })).rejects.toMatchObject({
        code: "link_unusable",
      });
    }
    const audited = (await auditOf(home.orgId)).filter((action) => action.startsWith("user."));
    expect(audited).toEqual(["user.password_reset_created", "user.password_reset_created", "user.password_changed"]);
  });

  it("ends when the person changes their password, which requires the current one", async () => {
    const { email, headers } = await person(await world(), "owner");
    const session = (await consoleSession(headers))!;
    await expect(changePassword(visitor(), session, { current: "wrong", password: newPassword })).rejects.toMatchObject(
      { code: "invalid_credentials" },
    );
    expect(await consoleSession(headers)).not.toBeNull();
    await changePassword(visitor(), session, { current: password, password: newPassword });
    expect(await consoleSession(headers)).toBeNull();
    await signIn(visitor(), { email, password: newPassword });
  });

  it("ends when all sessions are ended", async () => {
    const { headers, claims } = await person(await world(), "owner");
    const elsewhere = await headersOf(claims);
    await endSessions(visitor(), (await consoleSession(headers))!, {});
    expect(await consoleSession(headers)).toBeNull();
    expect(await consoleSession(elsewhere)).toBeNull();
  });

  it("ends 24 hours after it began, even if it is in use", async () => {
    const { claims } = await person(await world(), "owner");
    const hours = (n: number) => new Date(Date.now() + n * 3_600_000);
    expect(await liveSession(claims, hours(23.9))).not.toBeNull();
    expect(await liveSession(claims, hours(24.1))).toBeNull();
  });

  it("ends when the same browser signs in again, and other sessions continue", async () => {
    const { email, claims } = await person(await world(), "owner");
    const [elsewhere, again] = [
      await signIn(visitor(), { email, password }),
      await signIn({ ...visitor(), sessionId: claims.sessionId }, { email, password }),
    ];
    expect(await liveSession(claims)).toBeNull();
    for (const live of [elsewhere, again]) expect(await liveSession(live)).not.toBeNull();
  });

  it("is listed with its browser, address and last use, and can be ended from another session", async () => {
    const home = await world();
    const { email, headers, claims } = await person(home, "owner");
    const session = (await consoleSession(headers))!;
    const phone = { ...visitor(), userAgent: "Mozilla/5.0 (iPhone)", address: "203.0.113.9" };
    const onPhone = await signIn(phone, { email, password });
    const onTablet = await signIn(visitor(), { email, password });
    const listed = await listOwnSessions(visitor(), session);
    expect(listed.map((each) => each.id)).toEqual(
      [claims.sessionId, onTablet.sessionId, onPhone.sessionId].map((id) => publicId("ses", id)),
    );
    expect(listed.map((each) => each.isCurrent)).toEqual([true, false, false]);
    expect(listed[2]).toMatchObject({
      userAgent: "Mozilla/5.0 (iPhone)",
      address: "203.0.113.9",
      lastSeenAt: phone.now.toISOString(),
    });

    const stranger = await person(home, "owner");
    await expect(
      endOtherSessions(visitor(), session, { id: publicId("ses", stranger.claims.sessionId) }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(endOtherSessions(visitor(), session, { id: publicId("ses", claims.sessionId) })).rejects.toMatchObject(
      { code: "not_found" },
    );
    expect(await endOtherSessions(visitor(), session, { id: publicId("ses", onPhone.sessionId) })).toEqual({
      ended: 1,
    });
    expect([await liveSession(onPhone), (await liveSession(onTablet)) !== null]).toEqual([null, true]);
    expect(await endOtherSessions(visitor(), session, {})).toEqual({ ended: 1 });
    expect(await liveSession(onTablet)).toBeNull();
    expect(await endOtherSessions(visitor(), session, {})).toEqual({ ended: 0 });
    expect((await listOwnSessions(visitor(), session)).map((each) => each.id)).toEqual([
      publicId("ses", claims.sessionId),
    ]);
    expect(await liveSession(stranger.claims)).not.toBeNull();
    expect((await auditOf(home.orgId)).filter((action) => action === "session.others_ended")).toHaveLength(2);
  });

  it("loses the organisation at once when the membership is removed", async () => {
    const home = await world();
    const { headers, memberId } = await person(home, "admin");
    await removeMember(home.ctx, { id: memberId });
    expect(await consoleCtx(headers)).toBeNull();
    expect(await consoleSession(headers)).toMatchObject({ current: null, memberships: [] });
  });

  it("can switch to another organisation of the person, and to no other", async () => {
    const [home, second, foreign] = [await world(), await world(), await world()];
    const { email, claims } = await person(home, "owner");
    const { url } = await inviteMember(second.ctx, { email, role: "viewer" });
    await acceptInvitation(visitor(), { token: tokenIn(url), password });
    const switched = (await switchOrganisation(visitor(), { claims, orgId: publicId("org", second.orgId) }))!;
    expect(await consoleCtx(await headersOf(switched))).toMatchObject({
      orgId: second.orgId,
      scopes: roleScopes.viewer,
    });
    expect(await auditOf(second.orgId)).toContain("session.entered");
    expect(await switchOrganisation(visitor(), { claims, orgId: publicId("org", foreign.orgId) })).toBeNull();
    expect(await consoleCtx(await headersOf({ ...claims, orgId: foreign.orgId }))).toBeNull();
  });

  it("is refused for a cookie that is absent, tampered with, expired, of another secret or without its claims", async () => {
    const { claims, headers } = await person(await world(), "owner");
    const cookie = (token: string) => new Headers({ cookie: `${sessionCookie().name}=${token}` });
    const own = headers.get("cookie")!.split(`${sessionCookie().name}=`)[1]!;
    const flipped = own.slice(0, -5) + (own.at(-5) === "A" ? "B" : "A") + own.slice(-4);
    const token = { ...claims };
    expect(await consoleSession(new Headers())).toBeNull();
    expect(await consoleSession(cookie(flipped))).toBeNull();
    expect(await consoleSession(cookie(await encode({ token, secret: "another secret" })))).toBeNull();
    expect(await consoleSession(cookie(await encode({ token, secret: sessionSecret(), maxAge: -60 })))).toBeNull();
    expect(
      await consoleSession(cookie(await encode({ token: { userId: claims.userId }, secret: sessionSecret() }))),
    ).toBeNull();
    expect(await consoleSession(cookie(own))).not.toBeNull();
  });
});

it("only the operator can create password reset links", async () => {
  const home = await world();
  const { email, headers } = await person(home, "owner");
  await expect(createPasswordReset((await consoleCtx(headers))!, { email })).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  await expect(createPasswordReset(home.ctx, { email: "nobody@example.edu" })).rejects.toMatchObject({
    code: "not_found",
  });
});
