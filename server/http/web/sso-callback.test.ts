import { beforeAll, describe, expect, it } from "vitest";
import { consoleSession } from "@/server/access/console-session";
import { completeSignIn } from "@/server/access/second-factor/complete-sign-in";
import { listSecondFactors } from "@/server/access/second-factor/list-second-factors";
import { signInState } from "@/server/access/second-factor/sign-in-state";
import { signIn } from "@/server/access/sign-in";
import { disconnectSso } from "@/server/access/sso/disconnect-sso";
import { startConnectingSso } from "@/server/access/sso/start-connecting-sso";
import { startSso } from "@/server/access/sso/start-sso";
import { newPublicId, publicId } from "@/server/core/ids";
import { inviteMember } from "@/server/organisations/invite-member";
import { acceptOwnInvitation } from "@/server/organisations/accept-own-invitation";
import { listOwnInvitations } from "@/server/organisations/list-own-invitations";
import { listMembers } from "@/server/organisations/list-members";
import { auditOf } from "@/server/testing/audit";
import { IdentityProvider } from "@/server/testing/identity-provider";
import { headersOf, password, person, visitor } from "@/server/testing/person";
import { codeOf, sessionOf, withApp } from "@/server/testing/second-factor";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { ssoCallback } from "./sso-callback";

const idp = new IdentityProvider();
// Before anything reads the configuration.
beforeAll(async () => {
  Object.assign(process.env, await idp.start("http://localhost:3000/api/sso/callback"));
  return () => idp.close();
});

const cookieOf = (token: string) => `bonafide.sign-in=${token}`;
const identity = (more: object = {}) => ({
  sub: newPublicId("usr"),
  email: `${newPublicId("usr")}@example.edu`,
  email_verified: true,
  name: "Ada Lovelace",
  ...more,
});

/**
 * Lets the browser come back from the identity provider.
 * @returns where it is redirected, and the token of its sign-in cookie.
 */
async function comeBack(back: URL, cookie: string) {
  const response = await ssoCallback(new Request(back, { headers: { cookie, "x-forwarded-for": visitor().address } }));
  const set = response.headers.get("set-cookie");
  return {
    status: response.status,
    location: response.headers.get("location")!,
    token: /=([\w-]{43});/.exec(set ?? "")?.[1] ?? null,
  };
}

/** Signs in at the provider as `who` and returns to the sign-in page. */
async function arrive(who: typeof idp.person) {
  idp.person = who;
  const { url, token } = await startSso(visitor(), { next: "/members" });
  return comeBack(await idp.visit(url), cookieOf(token));
}

describe("single sign-on", () => {
  it("creates an account for an invited person, who chooses which invitation to accept and later signs in by issuer and subject", async () => {
    const [home, second] = [await world(), await world()];
    const who = identity();
    await inviteMember(home.ctx, { email: who.email, role: "issuer" });
    await inviteMember(second.ctx, { email: who.email, role: "viewer" });
    const { location, token } = await arrive(who);
    expect(location).toBe("http://localhost:3000/sign-in?next=%2Fmembers");
    expect(await signInState(visitor(), token!)).toMatchObject({ second: { app: false, passkey: false } });
    const headers = await headersOf(await completeSignIn(visitor(), token!, {}));
    const session = await sessionOf(headers);
    expect(session).toMatchObject({ user: { email: who.email, name: "Ada Lovelace" }, memberships: [], current: null });
    const waiting = await listOwnInvitations(visitor(), session);
    expect(waiting).toMatchObject([{ organisationName: "Test Organisation", role: "issuer" }, { role: "viewer" }]);
    expect(await acceptOwnInvitation(visitor(), session, { id: waiting[0]!.id })).toEqual({
      orgId: publicId("org", home.orgId),
    });
    await expect(acceptOwnInvitation(visitor(), session, { id: waiting[0]!.id })).rejects.toMatchObject({
      code: "not_found",
    });
    expect((await sessionOf(headers)).memberships).toMatchObject([{ role: "issuer" }]);
    expect(await listOwnInvitations(visitor(), session)).toHaveLength(1);
    const stranger = await sessionOf((await person(second, "viewer")).headers);
    await expect(acceptOwnInvitation(visitor(), stranger, { id: waiting[1]!.id })).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await listSecondFactors(visitor(), session)).toMatchObject({
      hasPassword: false,
      emailVerified: true,
      sso: { connectedAs: who.email },
    });
    expect(await auditOf(home.orgId)).toEqual(expect.arrayContaining(["member.joined"]));
    expect((await listMembers(second.ctx, {})).data.map(({ email }) => email)).not.toContain(who.email);

    const renamed = { ...who, email: "another@example.edu", email_verified: false };
    const again = await arrive(renamed);
    expect(await consoleSession(await headersOf(await completeSignIn(visitor(), again.token!, {})))).toMatchObject({
      user: { id: session.user.id },
    });
  });

  it("creates no account without an invitation, or for an address that the provider has not verified", async () => {
    const home = await world();
    const stranger = identity();
    expect(await arrive(stranger)).toMatchObject({
      location: expect.stringContaining("/sign-in?sso=not_invited"),
      token: null,
    });
    const unproven = identity({ email_verified: false });
    await inviteMember(home.ctx, { email: unproven.email, role: "viewer" });
    expect(await arrive(unproven)).toMatchObject({
      location: expect.stringContaining("/sign-in?sso=unverified"),
      token: null,
    });
    expect(await sql(`SELECT 1 FROM users WHERE email = ANY($1)`, [[stranger.email, unproven.email]])).toEqual([]);
  });

  it("refuses an ID token with an invalid signature", async () => {
    const { email } = await person(await world(), "owner");
    idp.forges = true;
    const forged = await arrive(identity({ email })).finally(() => (idp.forges = false));
    expect(forged).toMatchObject({ location: expect.stringContaining("/sign-in?sso=failed"), token: null });
    expect((await arrive(identity({ email }))).token).not.toBeNull();
  });

  it("does not take over a name with characters that change how it reads", async () => {
    const home = await world();
    const who = identity({ name: "Ada \u202Eecalevol" });
    await inviteMember(home.ctx, { email: who.email, role: "issuer" });
    const { token } = await arrive(who);
    expect(await sessionOf(await headersOf(await completeSignIn(visitor(), token!, {})))).toMatchObject({
      user: { email: who.email, name: "" },
    });
  });

  it("connects an account with the same address once, if we verified that address too", async () => {
    const { email } = await person(await world(), "owner");
    expect((await arrive(identity({ email }))).token).not.toBeNull();
    expect((await arrive(identity({ email }))).location).toContain("sso=connect");
    const unverified = await person(await world(), "owner");
    await sql(`UPDATE users SET email_verified_at = NULL WHERE email = $1`, [unverified.email]);
    expect((await arrive(identity({ email: unverified.email }))).location).toContain("sso=connect");
    expect(await signIn(visitor(), { email: unverified.email, password })).toBeTruthy();
  });

  it("asks for the second factor as a password sign-in does", async () => {
    const { email, headers } = await person(await world(), "owner");
    const { secret } = await withApp(headers);
    const { token } = await arrive(identity({ email }));
    await expect(completeSignIn(visitor(), token!, {})).rejects.toMatchObject({ code: "invalid_second_factor" });
    expect(await completeSignIn(visitor(), token!, { code: codeOf(secret) })).toBeTruthy();
  });

  it("is connected and disconnected by a signed-in person, with their password", async () => {
    const home = await world();
    const { headers } = await person(home, "owner");
    const session = await sessionOf(headers);
    const who = identity();
    await expect(startConnectingSso(visitor(), session, { password: "wrong" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    const connect = async (cookie: string) => {
      const { url, token } = await startConnectingSso(visitor(), session, { password });
      idp.person = who;
      return comeBack(await idp.visit(url), `${cookie}; ${cookieOf(token)}`);
    };
    expect((await connect("nobody=1")).location).toContain("/sign-in?sso=failed");
    const other = await person(home, "viewer");
    expect((await connect(other.headers.get("cookie")!)).location).toContain("/sign-in?sso=failed");
    expect((await connect(headers.get("cookie")!)).location).toBe(
      "http://localhost:3000/settings/account?sso=connected",
    );
    expect((await connect(headers.get("cookie")!)).location).toContain("sso=taken");
    expect(await completeSignIn(visitor(), (await arrive(who)).token!, {})).toMatchObject({ userId: session.user.id });
    await disconnectSso(visitor(), session, { password });
    expect((await arrive(who)).location).toContain("sso=not_invited");
    expect(await auditOf(home.orgId)).toEqual(expect.arrayContaining(["user.sso_connected", "user.sso_disconnected"]));
  });

  it("refuses an answer in another browser, an altered one, a repeated one, and one after five minutes", async () => {
    const { email } = await person(await world(), "owner");
    idp.person = identity({ email });
    const failed = { location: expect.stringContaining("/sign-in?sso=failed"), token: null };
    const mine = await startSso(visitor(), {});
    const back = await idp.visit(mine.url);
    const theirs = await startSso(visitor(), {});
    expect(await comeBack(back, cookieOf(theirs.token))).toMatchObject(failed);
    expect(await comeBack(back, "other=1")).toMatchObject(failed);
    const altered = await startSso(visitor(), {});
    const answer = await idp.visit(altered.url);
    answer.searchParams.set("code", "another");
    expect(await comeBack(answer, cookieOf(altered.token))).toMatchObject(failed);
    expect((await comeBack(back, cookieOf(mine.token))).token).not.toBeNull();
    expect(await comeBack(back, cookieOf(mine.token))).toMatchObject(failed);
    const slow = await startSso(visitor(new Date(Date.now() - 301_000)), {});
    expect(await comeBack(await idp.visit(slow.url), cookieOf(slow.token))).toMatchObject(failed);
  });
});
