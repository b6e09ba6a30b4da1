import { describe, expect, it } from "vitest";
import { roleScopes } from "../roles";
import { publicId } from "@/server/core/ids";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { inviteMember } from "@/server/organisations/invite-member";
import { listMembers } from "@/server/organisations/list-members";
import { makeSecondFactorOptional } from "@/server/organisations/make-second-factor-optional";
import { requireSecondFactor } from "@/server/organisations/require-second-factor";
import { getSecondFactorPolicy } from "@/server/organisations/second-factor-policy";
import { auditOf } from "@/server/testing/audit";
import { Authenticator } from "@/server/testing/authenticator";
import { headersOf, password, person, tokenIn, visitor } from "@/server/testing/person";
import { codeOf, firstStep, sessionOf, withApp, withPasskey } from "@/server/testing/second-factor";
import { world } from "@/server/testing/world";
import { consoleCtx, consoleSession } from "../console-session";
import { signIn } from "../sign-in";
import { addPasskey } from "./add-passkey";
import { completeSignIn } from "./complete-sign-in";
import { confirmAuthenticator } from "./confirm-authenticator";
import { listSecondFactors } from "./list-second-factors";
import { makeRecoveryCodes } from "./make-recovery-codes";
import { passkeyRegistrationOptions } from "./passkey-registration-options";
import { removeAuthenticator } from "./remove-authenticator";
import { removePasskey } from "./remove-passkey";
import { renamePasskey } from "./rename-passkey";
import { resetSecondFactor } from "./reset-second-factor";
import { setUpAuthenticator } from "./set-up-authenticator";

const own = async () => {
  const home = await world();
  return { home, ...(await person(home, "owner")) };
};

describe("a person's second factors", () => {
  it("start with the app's secret, apply once a code confirms it, and come with recovery codes", async () => {
    const { home, email, headers } = await own();
    const session = await sessionOf(headers);
    const { secret, url } = await setUpAuthenticator(visitor(), session, { password });
    expect(url).toContain(`otpauth://totp/Bonafide:${encodeURIComponent(email)}?issuer=Bonafide&secret=${secret}`);
    expect(await signIn(visitor(), { email, password })).toBeTruthy();
    await expect(confirmAuthenticator(visitor(), session, { code: "000000" })).rejects.toMatchObject({
      code: "invalid_second_factor",
    });
    const { recoveryCodes } = await confirmAuthenticator(visitor(), session, { code: codeOf(secret) });
    expect(recoveryCodes).toHaveLength(10);
    expect(await listSecondFactors(visitor(), session)).toMatchObject({
      authenticatorApp: {},
      recoveryCodesLeft: 10,
      hasPassword: true,
    });
    await firstStep(email);
    expect((await auditOf(home.orgId)).at(-1)).toBe("user.authenticator_app_added");
    await expect(setUpAuthenticator(visitor(), session, { password })).rejects.toMatchObject({
      code: "second_factor_state",
    });
  });

  it("cannot be changed without the password", async () => {
    const { headers } = await own();
    const session = await sessionOf(headers);
    const { id } = await withPasskey(headers);
    for (const wrong of ["", "not the password"]) {
      const refused = { code: "invalid_credentials" };
      await expect(setUpAuthenticator(visitor(), session, { password: wrong })).rejects.toMatchObject(refused);
      await expect(passkeyRegistrationOptions(visitor(), session, { password: wrong })).rejects.toMatchObject(refused);
      await expect(makeRecoveryCodes(visitor(), session, { password: wrong })).rejects.toMatchObject(refused);
      await expect(removePasskey(visitor(), session, { id, password: wrong })).rejects.toMatchObject(refused);
      await expect(removeAuthenticator(visitor(), session, { password: wrong })).rejects.toMatchObject(refused);
    }
    expect((await listSecondFactors(visitor(), session)).passkeys).toHaveLength(1);
  });

  it("get new recovery codes, and the earlier ones stop working", async () => {
    const { email, headers } = await own();
    const { recoveryCodes } = await withApp(headers);
    const made = await makeRecoveryCodes(visitor(), await sessionOf(headers), { password });
    expect(made.recoveryCodes).toHaveLength(10);
    await expect(
      completeSignIn(visitor(), await firstStep(email), { recoveryCode: recoveryCodes[0]! }),
    ).rejects.toMatchObject({ code: "invalid_second_factor" });
    await completeSignIn(visitor(), await firstStep(email), { recoveryCode: made.recoveryCodes[0]! });
  });

  it("can be removed, and the recovery codes are removed with the last of them", async () => {
    const { home, email, headers } = await own();
    const session = await sessionOf(headers);
    const { recoveryCodes } = await withPasskey(headers);
    expect(recoveryCodes).toHaveLength(10);
    await withApp(headers).then(({ recoveryCodes: again }) => expect(again).toBeNull());
    const { passkeys } = await listSecondFactors(visitor(), session);
    await removePasskey(visitor(), session, { id: passkeys[0]!.id, password });
    expect((await listSecondFactors(visitor(), session)).recoveryCodesLeft).toBe(10);
    await removeAuthenticator(visitor(), session, { password });
    expect(await listSecondFactors(visitor(), session)).toMatchObject({
      authenticatorApp: null,
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    expect(await signIn(visitor(), { email, password })).toBeTruthy();
    expect((await auditOf(home.orgId)).slice(-3)).toEqual([
      "user.passkey_removed",
      "user.authenticator_app_removed",
      "session.started",
    ]);
  });

  it("include several named passkeys, each registered once, within five minutes and for this site only", async () => {
    const { headers } = await own();
    const session = await sessionOf(headers);
    const { id, authenticator } = await withPasskey(headers);
    await withPasskey(headers, "Phone");
    await renamePasskey(visitor(), session, { id, name: "Work laptop" });
    expect((await listSecondFactors(visitor(), session)).passkeys.map((p) => p.name)).toEqual(["Work laptop", "Phone"]);
    const options = await passkeyRegistrationOptions(visitor(), session, { password });
    expect(options.excludeCredentials).toHaveLength(2);
    await expect(
      addPasskey(visitor(), session, { name: "Again", response: authenticator.create(options) }),
    ).rejects.toMatchObject({ code: "second_factor_state" });
    const response = new Authenticator().create(await passkeyRegistrationOptions(visitor(), session, { password }), {
      origin: "https://evil.example",
    });
    await expect(addPasskey(visitor(), session, { name: "Foreign", response })).rejects.toMatchObject({
      code: "invalid_second_factor",
    });
    const late = new Authenticator().create(await passkeyRegistrationOptions(visitor(), session, { password }));
    await expect(
      addPasskey(visitor(new Date(Date.now() + 301_000)), session, { name: "Late", response: late }),
    ).rejects.toMatchObject({ code: "sign_in_expired" });
  });

  it("cannot be changed by another person", async () => {
    const [one, other] = [await own(), await own()];
    const { id } = await withPasskey(one.headers);
    const session = await sessionOf(other.headers);
    await expect(renamePasskey(visitor(), session, { id, name: "Mine" })).rejects.toMatchObject({ code: "not_found" });
    await expect(removePasskey(visitor(), session, { id, password })).rejects.toMatchObject({ code: "not_found" });
    const options = await passkeyRegistrationOptions(visitor(), await sessionOf(one.headers), { password });
    await expect(
      addPasskey(visitor(), session, { name: "Stolen", response: new Authenticator().create(options) }),
    ).rejects.toMatchObject({ code: "invalid_second_factor" });
  });
});

describe("a change of second factors", () => {
  it("ends the other sessions and unfinished sign-ins, and keeps the current session", async () => {
    const { email, headers } = await own();
    const elsewhere = async () => headersOf(await signIn(visitor(), { email, password }));
    const before = await elsewhere();
    const { secret } = await withApp(headers);
    expect(await consoleSession(before)).toBeNull();
    expect(await consoleSession(headers)).not.toBeNull();
    const underWay = await firstStep(email);
    const second = await headersOf(await completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret) }));
    const { id } = await withPasskey(headers);
    expect(await consoleSession(second)).toBeNull();
    await expect(completeSignIn(visitor(), underWay, { code: codeOf(secret, 1) })).rejects.toMatchObject({
      code: "sign_in_expired",
    });
    const third = await headersOf(await completeSignIn(visitor(), await firstStep(email), { code: codeOf(secret, 1) }));
    await removePasskey(visitor(), await sessionOf(headers), { id, password });
    expect(await consoleSession(third)).toBeNull();
    await removeAuthenticator(visitor(), await sessionOf(headers), { password });
    expect(await consoleSession(headers)).not.toBeNull();
  });
});

describe("the operator", () => {
  it("can reset second factors, which ends the sessions; an organisation's owner cannot", async () => {
    const { home, email, headers } = await own();
    await withApp(headers);
    await withPasskey(headers);
    const foreign = await own();
    await expect(resetSecondFactor((await consoleCtx(foreign.headers))!, { email })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    await expect(resetSecondFactor((await consoleCtx(headers))!, { email })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    expect(await resetSecondFactor(home.ctx, { email })).toEqual({ email, authenticatorApps: 1, passkeys: 1 });
    expect(await consoleSession(headers)).toBeNull();
    const again = await headersOf(await signIn(visitor(), { email, password }));
    expect(await listSecondFactors(visitor(), await sessionOf(again))).toMatchObject({
      authenticatorApp: null,
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    expect(await auditOf(home.orgId)).toContain("user.second_factor_reset");
    await expect(resetSecondFactor(home.ctx, { email: "nobody@example.edu" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("an organisation that requires a second factor", () => {
  it("gives a person without one no access until they set it up, and reports how many have none", async () => {
    const { home, headers } = await own();
    const colleague = await person(home, "admin");
    await withApp(headers);
    const owner = (await consoleCtx(headers))!;
    expect(await getSecondFactorPolicy(home.ctx, {})).toEqual({ required: false, members: 2, without: 1 });
    await requireSecondFactor(owner, { required: true });
    expect(await getSecondFactorPolicy(home.ctx, {})).toEqual({ required: true, members: 2, without: 1 });
    expect((await listMembers(home.ctx, {})).data.map((m) => m.hasSecondFactor)).toEqual([false, true]);
    expect(await consoleCtx(headers)).not.toBeNull();
    expect(await consoleCtx(colleague.headers)).toBeNull();
    expect(await consoleSession(colleague.headers)).toMatchObject({ secondFactor: { isSetUp: false, isDue: true } });
    await withApp(colleague.headers);
    expect(await consoleCtx(colleague.headers)).toMatchObject({ scopes: roleScopes.admin });
    const session = await sessionOf(headers);
    const relax = (organisationId: string, typed?: string, as = session) =>
      makeSecondFactorOptional(visitor(), as, { organisationId, password: typed });
    for (const typed of [undefined, "wrong"])
      await expect(relax(publicId("org", home.orgId), typed)).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(relax(publicId("org", (await world()).orgId), password)).rejects.toMatchObject({
      code: "organisation_switched",
    });
    const issuer = await person(home, "issuer");
    await withApp(issuer.headers);
    await expect(relax(publicId("org", home.orgId), password, await sessionOf(issuer.headers))).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    expect(await relax(publicId("org", home.orgId), password)).toEqual({ required: false });
    expect((await auditOf(home.orgId)).filter((a) => a.startsWith("organisation.second"))).toEqual([
      "organisation.second_factor_required",
      "organisation.second_factor_optional",
    ]);
  });

  it("cannot be set up by someone who has none or may not change settings", async () => {
    const { home, headers } = await own();
    await expect(requireSecondFactor((await consoleCtx(headers))!, { required: true })).rejects.toMatchObject({
      code: "second_factor_state",
    });
    await expect(requireSecondFactor(home.as(...roleScopes.issuer), { required: true })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
  });

  it("does not let members remove their last one, and does not affect their work elsewhere", async () => {
    const { home, email, headers } = await own();
    const elsewhere = await world();
    await acceptInvitation(visitor(), {
      token: tokenIn((await inviteMember(elsewhere.ctx, { email, role: "viewer" })).url),
      password,
    });
    const { id } = await withPasskey(headers);
    await withApp(headers);
    await requireSecondFactor(home.ctx, { required: true });
    const session = await sessionOf(headers);
    await removeAuthenticator(visitor(), session, { password });
    await expect(removePasskey(visitor(), session, { id, password })).rejects.toMatchObject({
      code: "second_factor_state",
    });
    await resetSecondFactor(home.ctx, { email });
    const claims = await signIn(visitor(), { email, password });
    expect(await consoleCtx(await headersOf(claims))).toBeNull();
    expect(await consoleCtx(await headersOf({ ...claims, orgId: elsewhere.orgId }))).not.toBeNull();
  });

  it("does not affect API keys", async () => {
    const home = await world();
    await requireSecondFactor(home.ctx, { required: true });
    expect(await home.key()).toMatch(/^svc_sk_live_/);
  });
});
