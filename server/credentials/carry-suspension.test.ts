import { expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { getCredential } from "./get";
import { issueCredential } from "./issue";
import { reissueCredential } from "./reissue";
import { resumeCredential } from "./resume";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";
import { updateCredential } from "./update";

async function suspended(w: World) {
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id);
  await suspendCredential(w.ctx, { id: before.id, reason: "Fees overdue" });
  return { ...before, template: template.id };
}

const ways = {
  reissue: (w: World, { id }: { id: string }, ctx = w.ctx) => reissueCredential(ctx, { id }),
  replace: async (w: World, { subjectId, template }: { subjectId: string; template: string }, ctx = w.ctx) =>
    (await issueCredential(ctx, { subject: { id: subjectId }, templateId: template, ifExists: "replace" })).credential,
  "replace in bulk": async (
    w: World,
    { subjectId, template }: { subjectId: string; template: string },
    ctx = w.ctx,
  ) => {
    const { result } = await bulkCredentials(ctx, {
      action: "issue",
      items: [{ subject: { id: subjectId }, templateId: template, ifExists: "replace" }],
    });
    const [row] = result!.data;
    if (!row!.ok) throw Object.assign(new Error("refused"), row!.error);
    return row!.credential!;
  },
};

it.each(Object.entries(ways))(
  "%s of a suspended credential stays suspended, with its reason, and can be resumed",
  async (_, way) => {
    const w = await world();
    const before = await suspended(w);
    const after = await way(w, { ...before, id: before.id });
    expect(after).toMatchObject({ state: "suspended", suspensionReason: "Fees overdue", supersedes: before.id });
    expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "revoked", supersededBy: after.id });
    expect((await eventsOf(w.orgId)).map(({ type }) => type).slice(-4)).toEqual([
      "credential.revoked",
      "credential.created",
      "credential.issued",
      "credential.suspended",
    ]);
    expect(await resumeCredential(w.ctx, { id: after.id })).toMatchObject({ state: "active" });
    expect(await reissueCredential(w.ctx, { id: after.id })).toMatchObject({ state: "active" });
  },
);

it.each(Object.entries(ways))(
  "%s of a suspended credential requires the scope credentials:revoke, and changes nothing without it",
  async (_, way) => {
    const w = await world();
    const before = await suspended(w);
    await expect(
      way(w, { ...before, id: before.id }, w.as("credentials:issue", "subjects:read")),
    ).rejects.toMatchObject({ code: "insufficient_scope" });
    expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "suspended", supersededBy: null });
  },
);

it("reissuing a credential that was revoked or expired while suspended carries the suspension over", async () => {
  const w = await world();
  const [lost, old] = [await suspended(w), await suspended(w)];
  await revokeCredential(w.ctx, { id: lost.id, reason: "Lost" });
  expect(await reissueCredential(w.ctx, { id: lost.id })).toMatchObject({
    state: "suspended",
    suspensionReason: "Fees overdue",
  });
  await updateCredential(w.ctx, { id: old.id, expiresAt: "2030-01-01T00:00:00Z" });
  const later = w.at("2031-01-01T00:00:00Z");
  expect(await reissueCredential(later, { id: old.id })).toMatchObject({
    state: "suspended",
    suspensionReason: "Fees overdue",
  });
});

it("a suspended credential is not replaced by one that starts later", async () => {
  const w = await world();
  const before = await suspended(w);
  const refused = await call("POST", `/v1/credentials/${before.id}/reissue`, {
    token: await w.key(),
    body: { validFrom: "2090-01-01T00:00:00Z" },
  });
  expect([refused.status, refused.json()["code"]]).toEqual([409, "credential_state"]);
  expect(refused.json()["detail"]).toContain("Resume it first");
});

it("the error for one that was revoked while suspended does not suggest resuming it", async () => {
  const w = await world();
  const before = await suspended(w);
  await revokeCredential(w.ctx, { id: before.id, reason: "Left" });
  const refused = await call("POST", `/v1/credentials/${before.id}/reissue`, {
    token: await w.key(),
    body: { validFrom: "2090-01-01T00:00:00Z" },
  });
  expect([refused.status, refused.json()["code"]]).toEqual([409, "credential_state"]);
  expect(refused.json()["detail"]).toBe(
    "The credential was suspended when it was revoked, and one that starts later cannot carry the suspension on. Leave validFrom out, or issue a credential of its own.",
  );
});

it("ending a suspended credential sooner requires the scope credentials:revoke", async () => {
  const w = await world();
  const { id } = await suspended(w);
  const issuer = w.as("credentials:issue");
  await expect(updateCredential(issuer, { id, expiresAt: "2030-01-01T00:00:00Z" })).rejects.toMatchObject({
    code: "insufficient_scope",
  });
  await updateCredential(w.ctx, { id, expiresAt: "2030-01-01T00:00:00Z" });
  expect(await updateCredential(issuer, { id, expiresAt: "2040-01-01T00:00:00Z" })).toMatchObject({
    expiresAt: "2040-01-01T00:00:00.000Z",
  });
});

it("reissuing a pending credential keeps its start, unless the request sends another", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { validity: { type: "duration", amount: 1, unit: "years" } });
  const before = await issued(w.ctx, template.id, { validFrom: "2090-01-01T00:00:00Z" });
  const after = await reissueCredential(w.ctx, { id: before.id });
  expect(after).toMatchObject({ state: "pending", validFrom: "2090-01-01T00:00:00.000Z", expiresAt: before.expiresAt });
  expect(await reissueCredential(w.ctx, { id: after.id, validFrom: "2091-01-01T00:00:00Z" })).toMatchObject({
    validFrom: "2091-01-01T00:00:00.000Z",
  });
});
