import { describe, expect, it } from "vitest";
import { signIn } from "@/server/access/sign-in";
import { sql } from "@/server/core/db";
import { auditOf } from "@/server/testing/audit";
import { password, person, tokenIn, visitor } from "@/server/testing/person";
import { world } from "@/server/testing/world";
import { acceptInvitation } from "./accept-invitation";
import { inspectLink } from "./inspect-link";
import { inviteMember } from "./invite-member";
import { listInvitations } from "./list-invitations";
import { listMembers } from "./list-members";
import { withdrawInvitation } from "./withdraw-invitation";

const someone = () => `${crypto.randomUUID()}@example.edu`;

describe("an invitation", () => {
  it("lets a new person choose a password and join, once", async () => {
    const { ctx, orgId } = await world();
    const email = someone();
    const { url } = await inviteMember(ctx, { email: email.toUpperCase(), role: "issuer" });
    const token = tokenIn(url);
    expect(await inspectLink(visitor(), { token })).toMatchObject({ purpose: "invite", email, role: "issuer", organisationName: "Test Organisation", hasAccount: false });
    await expect(acceptInvitation(visitor(), { token, password: "short" })).rejects.toMatchObject({ code: "invalid_request" });

    const accepted = await Promise.allSettled([1, 2, 3].map(() => acceptInvitation(visitor(), { token, name: "Grace", password })));
    expect(accepted.filter((a) => a.status === "fulfilled")).toHaveLength(1);
    expect((await listMembers(ctx, {})).data).toMatchObject([{ email, name: "Grace", role: "issuer" }]);
    expect(await auditOf(orgId)).toEqual(["organisation.created", "member.invited", "member.joined"]);
    expect(await signIn(visitor(), { email, password })).toMatchObject({ orgId });
    await expect(inspectLink(visitor(), { token })).rejects.toMatchObject({ code: "link_unusable" });
  });

  it("adds an account that exists only with its own password, which stays", async () => {
    const [first, second] = [await world(), await world()];
    const { email } = await person(first, "owner");
    const token = tokenIn((await inviteMember(second.ctx, { email, role: "viewer" })).url);
    expect(await inspectLink(visitor(), { token })).toMatchObject({ hasAccount: true });
    await expect(acceptInvitation(visitor(), { token, password: "another password" })).rejects.toMatchObject({ code: "invalid_credentials" });
    expect((await listMembers(second.ctx, {})).data).toEqual([]);
    await acceptInvitation(visitor(), { token, password });
    expect((await listMembers(second.ctx, {})).data).toMatchObject([{ email, role: "viewer" }]);
  });

  it("ends when it is withdrawn, replaced by a newer one, or a week old", async () => {
    const { ctx } = await world();
    const email = someone();
    const replaced = await inviteMember(ctx, { email, role: "viewer" });
    const withdrawn = await inviteMember(ctx, { email, role: "admin" });
    expect(await listInvitations(ctx, {})).toMatchObject([{ id: withdrawn.id, email, role: "admin" }]);
    await withdrawInvitation(ctx, { id: withdrawn.id });
    expect(await listInvitations(ctx, {})).toEqual([]);
    const old = await inviteMember({ ...ctx, now: new Date(Date.now() - 7 * 86_400_000) }, { email: someone(), role: "viewer" });
    for (const { url } of [replaced, withdrawn, old]) {
      await expect(acceptInvitation(visitor(), { token: tokenIn(url), password })).rejects.toMatchObject({ code: "link_unusable" });
    }
    await expect(withdrawInvitation((await world()).ctx, { id: old.id })).rejects.toMatchObject({ code: "not_found" });
  });

  it("keeps no token, and is not made for a member", async () => {
    const home = await world();
    const { email } = await person(home, "viewer");
    await expect(inviteMember(home.ctx, { email, role: "admin" })).rejects.toMatchObject({ code: "email_taken" });
    const { id, url } = await inviteMember(home.ctx, { email: someone(), role: "viewer" });
    const [row] = await sql<{ all: string }>(`SELECT row_to_json(l)::text AS all FROM one_time_links l WHERE id = $1`, [id]);
    expect(row!.all).not.toContain(tokenIn(url));
  });
});
