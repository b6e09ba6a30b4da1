import { describe, expect, it } from "vitest";
import { consoleCtx } from "@/server/access/console-session";
import { disableUser } from "@/server/access/disable-user";
import { signIn } from "@/server/access/sign-in";
import { auditOf } from "@/server/testing/audit";
import { password, person, tokenIn, visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { acceptInvitation } from "./accept-invitation";
import { changeRole } from "./change-role";
import { inspectLink } from "./inspect-link";
import { inviteMember } from "./invite-member";
import { listInvitations } from "./list-invitations";
import { listMemberAccess } from "./list-member-access";
import { listMembers } from "./list-members";
import { removeMember } from "./remove-member";
import { withdrawInvitation } from "./withdraw-invitation";

const someone = () => `${crypto.randomUUID()}@example.edu`;

describe("an invitation", () => {
  it("lets a new person choose a password and join once", async () => {
    const { ctx, orgId } = await world();
    const email = someone();
    const { url } = await inviteMember(ctx, { email: email.toUpperCase(), role: "issuer" });
    const token = tokenIn(url);
    expect(await inspectLink(visitor(), { token })).toMatchObject({
      purpose: "invite",
      email,
      role: "issuer",
      organisationName: "Test Organisation",
      hasAccount: false,
    });
    await expect(acceptInvitation(visitor(), { token, password: "short" })).rejects.toMatchObject({
      code: "invalid_request",
    });

    const accepted = await Promise.allSettled(
      [1, 2, 3].map(() => acceptInvitation(visitor(), { token, name: "Grace", password })),
    );
    expect(accepted.filter((a) => a.status === "fulfilled")).toHaveLength(1);
    expect((await listMembers(ctx, {})).data).toMatchObject([{ email, name: "Grace", role: "issuer" }]);
    expect(await auditOf(orgId)).toEqual(["organisation.created", "member.invited", "member.joined"]);
    expect(await signIn(visitor(), { email, password })).toMatchObject({ orgId });
    await expect(inspectLink(visitor(), { token })).rejects.toMatchObject({ code: "link_unusable" });
  });

  it("adds an existing account only with its own password, which stays", async () => {
    const [first, second] = [await world(), await world()];
    const { email } = await person(first, "owner");
    const token = tokenIn((await inviteMember(second.ctx, { email, role: "viewer" })).url);
    expect(await inspectLink(visitor(), { token })).toMatchObject({ hasAccount: true });
    await expect(acceptInvitation(visitor(), { token, password: "another password" })).rejects.toMatchObject({
      code: "invalid_credentials",
    });
    expect((await listMembers(second.ctx, {})).data).toEqual([]);
    await acceptInvitation(visitor(), { token, password });
    expect((await listMembers(second.ctx, {})).data).toMatchObject([{ email, role: "viewer" }]);
  });

  it("stops working when it is withdrawn, replaced by a newer one, or a week old", async () => {
    const { ctx } = await world();
    const email = someone();
    const replaced = await inviteMember(ctx, { email, role: "viewer" });
    const withdrawn = await inviteMember(ctx, { email, role: "admin" });
    expect(await listInvitations(ctx, {})).toMatchObject([{ id: withdrawn.id, email, role: "admin" }]);
    await withdrawInvitation(ctx, { id: withdrawn.id });
    expect(await listInvitations(ctx, {})).toEqual([]);
    const old = await inviteMember(
      { ...ctx, now: new Date(Date.now() - 7 * 86_400_000) },
      { email: someone(), role: "viewer" },
    );
    for (const { url } of [replaced, withdrawn, old]) {
      await expect(acceptInvitation(visitor(), { token: tokenIn(url), password })).rejects.toMatchObject({
        code: "link_unusable",
      });
    }
    await expect(withdrawInvitation((await world()).ctx, { id: old.id })).rejects.toMatchObject({ code: "not_found" });
  });

  describe("whose inviter", () => {
    /** Sets up an admin who invited another address of their own as admin. */
    async function invited() {
      const home = await world();
      const adam = await person(home, "admin");
      const ctx = (await consoleCtx(adam.headers))!;
      const made = await inviteMember(ctx, { email: someone(), role: "admin" });
      const accept = () => acceptInvitation(visitor(), { token: tokenIn(made.url), password });
      return { home, adam, ctx, made, accept };
    }
    const unusable = { code: "link_unusable" };

    it("was removed is withdrawn with the membership", async () => {
      const { home, adam, made, accept } = await invited();
      expect(await listMemberAccess(home.ctx, { id: adam.memberId })).toEqual([
        { type: "invitation", id: made.id, name: made.email, lastUsedAt: null },
      ]);
      expect(await removeMember(home.ctx, { id: adam.memberId, revokeAccess: true })).toEqual({
        revoked: 0,
        withdrawn: 1,
      });
      await expect(accept()).rejects.toMatchObject(unusable);
      expect(await listInvitations(home.ctx, {})).toEqual([]);
      expect((await auditOf(home.orgId)).slice(-2).sort()).toEqual(["member.invitation_withdrawn", "member.removed"]);
    });

    it("was removed while inviting is refused, with the reason", async () => {
      const { home, adam, ctx } = await invited();
      await removeMember(home.ctx, { id: adam.memberId });
      // Uses the context from before the removal, like a request that had already read the session.
      const { url } = await inviteMember(ctx, { email: someone(), role: "admin" });
      const refused = { ...unusable, message: expect.stringContaining("may no longer invite") };
      await expect(inspectLink(visitor(), { token: tokenIn(url) })).rejects.toMatchObject(refused);
      await expect(acceptInvitation(visitor(), { token: tokenIn(url), password })).rejects.toMatchObject(refused);
    });

    it("was demoted is withdrawn if the new role may not give its role", async () => {
      const { home, adam, accept } = await invited();
      await changeRole(home.ctx, { id: adam.memberId, role: "issuer" });
      await expect(accept()).rejects.toMatchObject(unusable);
      const owner = await person(home, "owner");
      await person(home, "owner");
      const ctx = (await consoleCtx(owner.headers))!;
      const [asOwner, asViewer] = [
        await inviteMember(ctx, { email: someone(), role: "owner" }),
        await inviteMember(ctx, { email: someone(), role: "viewer" }),
      ];
      await changeRole(home.ctx, { id: owner.memberId, role: "admin" });
      await expect(acceptInvitation(visitor(), { token: tokenIn(asOwner.url), password })).rejects.toMatchObject(
        unusable,
      );
      await acceptInvitation(visitor(), { token: tokenIn(asViewer.url), password });
    });

    it("was disabled is withdrawn", async () => {
      const { home, adam, accept } = await invited();
      await disableUser(home.ctx, { email: adam.email });
      await expect(accept()).rejects.toMatchObject(unusable);
    });
  });

  it("is the only live one of its address, even if the address is invited three times at once", async () => {
    const { ctx } = await world();
    const email = someone();
    const made = await Promise.all([1, 2, 3].map(() => inviteMember(ctx, { email, role: "viewer" })));
    expect(await listInvitations(ctx, {})).toHaveLength(1);
    const accepted = await Promise.allSettled(made.map(({ url }) => inspectLink(visitor(), { token: tokenIn(url) })));
    expect(accepted.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("does not store its token, and cannot be created for a member", async () => {
    const home = await world();
    const { email } = await person(home, "viewer");
    await expect(inviteMember(home.ctx, { email, role: "admin" })).rejects.toMatchObject({ code: "already_member" });
    const { id, url } = await inviteMember(home.ctx, { email: someone(), role: "viewer" });
    const [row] = await sql<{ all: string }>(`SELECT row_to_json(l)::text AS all FROM one_time_links l WHERE id = $1`, [
      id,
    ]);
    expect(row!.all).not.toContain(tokenIn(url));
  });
});
