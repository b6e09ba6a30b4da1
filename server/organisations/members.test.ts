import { describe, expect, it } from "vitest";
import { roleScopes } from "@/server/access/roles";
import { transaction } from "@/server/core/transaction";
import { auditOf } from "@/server/testing/audit";
import { person } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world, type World } from "@/server/testing/world";
import { consoleCtx } from "@/server/access/console-session";
import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { call } from "@/server/testing/request";
import { changeRole } from "./change-role";
import { inviteMember } from "./invite-member";
import { listInvitations } from "./list-invitations";
import { listMemberAccess } from "./list-member-access";
import { listMembers } from "./list-members";
import { removeMember } from "./remove-member";
import { withdrawInvitation } from "./withdraw-invitation";

/** True while a transaction waits for the lock on the organisation's owners. */
const isWaiting = async () => (await waitingForLock("role = 'owner' ORDER BY id FOR UPDATE")).length > 0;

const admin = ({ as }: World) => as(...roleScopes.admin);

describe("members", () => {
  it("can get another role and be removed, and the audit log records it", async () => {
    const home = await world();
    const { memberId } = await person(home, "viewer");
    expect(await changeRole(home.ctx, { id: memberId, role: "admin" })).toMatchObject({ role: "admin" });
    await changeRole(home.ctx, { id: memberId, role: "admin" });
    await removeMember(home.ctx, { id: memberId });
    expect((await listMembers(home.ctx, {})).data).toEqual([]);
    expect((await auditOf(home.orgId)).slice(3)).toEqual(["session.started", "member.role_changed", "member.removed"]);
    await expect(removeMember(home.ctx, { id: memberId })).rejects.toMatchObject({ code: "not_found" });
  });

  it("can be invited until 200 invitations are open, all of which are listed", async () => {
    const home = await world();
    await sql(
      `INSERT INTO one_time_links (id, token_hash, purpose, org_id, email, role, created_by, expires_at)
       SELECT uuidv7(), gen_random_uuid()::text, 'invite', $1, 'p' || n || '@example.edu', 'viewer', $2, now() + interval '1 day' FROM generate_series(1, 199) AS n`,
      [home.orgId, home.ctx.actor],
    );
    const invite = (email: string) => inviteMember(home.ctx, { email, role: "viewer" });
    await invite("last@example.edu");
    expect(await listInvitations(home.ctx, {})).toHaveLength(200);
    await expect(invite("one-more@example.edu")).rejects.toMatchObject({ code: "limit_reached" });
    // A new invitation of the same address takes the place of the earlier one.
    await invite("p1@example.edu");
  });

  it("are listed with the keys and clients that they created, which can be revoked with the membership", async () => {
    const home = await world();
    const { memberId, headers } = await person(home, "admin");
    const ctx = (await consoleCtx(headers))!;
    const key = await createApiKey(ctx, { name: "Import" });
    const client = await createOAuthClient(ctx, { name: "Portal" });
    const gone = await createApiKey(ctx, { name: "Old" });
    await revokeApiKey(home.ctx, { id: gone.id });
    const others = await createApiKey(home.ctx, { name: "Not theirs" });
    expect((await listMemberAccess(home.ctx, { id: memberId })).map(({ type, id, name }) => [type, id, name])).toEqual([
      ["oauth_client", client.id, "Portal"],
      ["api_key", key.id, "Import"],
    ]);
    const status = async (token: string) => (await call("GET", "/v1/subjects", { token })).status;

    await expect(removeMember(home.as("members:write"), { id: memberId, revokeAccess: true })).rejects.toMatchObject({
      code: "insufficient_scope",
    });
    expect(await status(key.secret)).toBe(200);
    expect(await removeMember(home.ctx, { id: memberId, revokeAccess: true })).toEqual({ revoked: 2, withdrawn: 0 });
    expect([await status(key.secret), await status(others.secret)]).toEqual([401, 200]);
    expect((await auditOf(home.orgId)).slice(-3).sort()).toEqual([
      "api_key.revoked",
      "member.removed",
      "oauth_client.revoked",
    ]);
  });

  it("leave their keys working when they are removed, unless revokeAccess is set", async () => {
    const home = await world();
    const { memberId, headers } = await person(home, "admin");
    const { secret } = await createApiKey((await consoleCtx(headers))!, { name: "Import" });
    await removeMember(home.ctx, { id: memberId });
    expect((await call("GET", "/v1/subjects", { token: secret })).status).toBe(200);
  });

  it("always include an owner: the last one can be neither demoted nor removed", async () => {
    const home = await world();
    const { memberId } = await person(home, "owner");
    await person(home, "admin");
    await expect(changeRole(home.ctx, { id: memberId, role: "admin" })).rejects.toMatchObject({ code: "last_owner" });
    await expect(removeMember(home.ctx, { id: memberId })).rejects.toMatchObject({ code: "last_owner" });
    const second = await person(home, "owner");
    await removeMember(home.ctx, { id: memberId });
    await expect(removeMember(home.ctx, { id: second.memberId })).rejects.toMatchObject({ code: "last_owner" });
  });

  it("always include an owner, even if two demote each other at the same moment", async () => {
    const home = await world();
    const [first, second] = [await person(home, "owner"), await person(home, "owner")];
    let settled = false;
    const demoted = await transaction(async (tx) => {
      await changeRole({ ...home.ctx, tx }, { id: first.memberId, role: "viewer" });
      const other = changeRole(home.ctx, { id: second.memberId, role: "viewer" }).then(
        () => "demoted",
        (e: { code: string }) => e.code,
      );
      void other.finally(() => (settled = true));
      while (!settled && !(await isWaiting())) await sql(`SELECT 1`);
      return { other };
    });
    expect(await demoted.other).toBe("last_owner");
    expect((await listMembers(home.ctx, {})).data.map((m) => m.role).sort()).toEqual(["owner", "viewer"]);
  });

  it("can make, demote and remove owners only as owners", async () => {
    const home = await world();
    const owner = await person(home, "owner");
    await person(home, "owner");
    const viewer = await person(home, "viewer");
    const refused = { code: "insufficient_scope" };
    await expect(changeRole(admin(home), { id: viewer.memberId, role: "owner" })).rejects.toMatchObject(refused);
    await expect(changeRole(admin(home), { id: owner.memberId, role: "viewer" })).rejects.toMatchObject(refused);
    await expect(removeMember(admin(home), { id: owner.memberId })).rejects.toMatchObject(refused);
    await expect(inviteMember(admin(home), { email: "x@example.edu", role: "owner" })).rejects.toMatchObject(refused);
    await changeRole(admin(home), { id: viewer.memberId, role: "issuer" });
    await expect(removeMember(home.as(...roleScopes.issuer), { id: viewer.memberId })).rejects.toMatchObject(refused);
  });

  it("can invite owners, and withdraw or replace their invitations, only as owners", async () => {
    const home = await world();
    const email = "future-owner@example.edu";
    const { id } = await inviteMember(home.ctx, { email, role: "owner" });
    const refused = { code: "insufficient_scope" };
    await expect(withdrawInvitation(admin(home), { id })).rejects.toMatchObject(refused);
    await expect(inviteMember(admin(home), { email, role: "viewer" })).rejects.toMatchObject(refused);
    expect(await listInvitations(home.ctx, {})).toMatchObject([{ id, role: "owner" }]);
    const replacing = await inviteMember(home.ctx, { email, role: "viewer" });
    await withdrawInvitation(admin(home), { id: replacing.id });
    expect(await listInvitations(home.ctx, {})).toEqual([]);
  });

  it("cannot be changed from another organisation", async () => {
    const home = await world();
    const { memberId } = await person(home, "viewer");
    const other = (await world()).ctx;
    await expect(removeMember(other, { id: memberId })).rejects.toMatchObject({ code: "not_found" });
    await expect(changeRole(other, { id: memberId, role: "owner" })).rejects.toMatchObject({ code: "not_found" });
    expect((await listMembers(other, {})).data).toEqual([]);
  });
});
