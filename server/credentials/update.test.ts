import { expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { world } from "@/server/testing/world";
import { listCredentialHistory } from "./history";
import { issueCredential } from "./issue";
import { revokeCredential } from "./revoke";
import { updateCredential } from "./update";

async function aCredential(terms: Parameters<typeof issued>[2] = {}) {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  return { w, credential: await issued(w.ctx, template.id, terms) };
}

it("changes expiry and data, and reports the previous expiry", async () => {
  const { w, credential } = await aCredential({ data: { seat: "4A", meal: { kind: "vegan" } } });
  const after = await updateCredential(w.ctx, {
    id: credential.id,
    expiresAt: "2099-01-01T00:00:00Z",
    data: { seat: null, meal: { drink: "tea" } },
  });
  expect(after).toMatchObject({
    expiresAt: "2099-01-01T00:00:00.000Z",
    data: { meal: { kind: "vegan", drink: "tea" } },
  });
  const last = (await eventsOf(w.orgId)).at(-1)!;
  expect([last.type, last.data.previous]).toEqual(["credential.updated", { expiresAt: null }]);
  expect((await listCredentialHistory(w.ctx, { id: credential.id })).data[0]).toMatchObject({
    action: "updated",
    fromState: "active",
    toState: "active",
  });
});

it("writes and emits nothing if nothing changes", async () => {
  const { w, credential } = await aCredential({ expiresAt: "2099-01-01T00:00:00Z", data: { seat: "4A" } });
  const before = (await eventsOf(w.orgId)).length;
  const after = await updateCredential(w.at("2030-01-01T00:00:00Z"), {
    id: credential.id,
    expiresAt: "2099-01-01T01:00:00+01:00",
    data: { seat: "4A" },
  });
  expect(after).toEqual(credential);
  expect(await eventsOf(w.orgId)).toHaveLength(before);
});

it("refuses an expiry in the past, credentials that have ended, and data that grows too large", async () => {
  const { w, credential } = await aCredential({ expiresAt: "2099-01-01T00:00:00Z", data: { a: "x".repeat(40_000) } });
  const update = (change: object, at = w.ctx) => updateCredential(at, { id: credential.id, ...change });
  await expect(update({ expiresAt: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(update({ data: { b: "x".repeat(40_000) } })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(update({ data: { attributes: {} } })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(update({ expiresAt: null }, w.at("2099-01-01T00:00:00Z"))).rejects.toMatchObject({
    code: "credential_state",
    extras: { members: { state: "expired" } },
  });
  await revokeCredential(w.ctx, { id: credential.id, reason: "Left" });
  await expect(update({ data: {} })).rejects.toMatchObject({
    code: "credential_state",
    extras: { members: { state: "revoked" } },
  });
});

it("does not count the snapshot of an academic credential as its data", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, {
    kind: "academic",
    design: { front: { fields: [{ key: "bio", binding: "attributes.bio" }] } },
  });
  const credential = await issueCredential(w.ctx, {
    subject: { externalId: "s-long", attributes: { bio: "x".repeat(40_000) } },
    templateId: template.id,
    data: { thesis: "x".repeat(40_000) },
  });
  expect(
    await updateCredential(w.ctx, { id: credential.credential.id, expiresAt: "2099-01-01T00:00:00Z" }),
  ).toMatchObject({ expiresAt: "2099-01-01T00:00:00.000Z" });
});

it("keeps the snapshot of an academic credential", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { kind: "academic" });
  const credential = await issued(w.ctx, template.id);
  const { data } = await updateCredential(w.ctx, { id: credential.id, data: { grade: "A" } });
  expect(data).toEqual({ grade: "A", subject: { displayName: "Ada Lovelace" }, attributes: {} });
});
