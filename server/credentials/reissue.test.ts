import { expect, it } from "vitest";
import { createTemplateVersion } from "@/server/templates/create-version";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { getCredential } from "./get";
import { issueCredential } from "./issue";
import { reissueCredential } from "./reissue";
import { revokeCredential } from "./revoke";

it("takes the place of a live credential, from the current version, with a new code and the same data", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id, { data: { seat: "4A" } });
  const version = await createTemplateVersion(w.ctx, { id: template.id, publish: true });
  const response = await call("POST", `/v1/credentials/${before.id}/reissue`, { token: await w.key(), body: { reason: "Name changed" } });
  expect(response.status).toBe(201);
  const after = response.json();
  expect(after).toMatchObject({ subjectId: before.subjectId, templateVersionId: version.id, state: "active", supersedes: before.id, data: { seat: "4A" } });
  expect(after["code"]).not.toBe(before.code);
  expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "revoked", revocationReason: "Name changed", supersededBy: after["id"] });
  expect((await eventsOf(w.orgId)).map((e) => e.type).slice(-3)).toEqual(["credential.revoked", "credential.created", "credential.issued"]);
});

it("links to one that had ended, whose reason stays", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id);
  await revokeCredential(w.ctx, { id: before.id, reason: "Lost" });
  const after = await reissueCredential(w.ctx, { id: before.id });
  expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "revoked", revocationReason: "Lost", supersededBy: after.id });
  const events = await eventsOf(w.orgId);
  expect(events.slice(-3).map((e) => [e.type, e.data.previous])).toEqual([["credential.updated", { supersededBy: null }], ["credential.created", undefined], ["credential.issued", undefined]]);
});

it("refuses one that was superseded, and where another is live", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const first = await issued(w.ctx, template.id);
  const second = await reissueCredential(w.ctx, { id: first.id });
  await expect(reissueCredential(w.ctx, { id: first.id })).rejects.toMatchObject({ code: "credential_state", extras: { members: { supersededBy: second.id } } });
  await revokeCredential(w.ctx, { id: second.id, reason: "Lost" });
  const { credential: third } = await issueCredential(w.ctx, { subject: { id: first.subjectId }, templateId: template.id });
  await expect(reissueCredential(w.ctx, { id: second.id })).rejects.toMatchObject({ code: "credential_exists", extras: { members: { credentialId: third.id } } });
  expect(await getCredential(w.ctx, { id: second.id })).toMatchObject({ supersededBy: null });
});

it("makes one new credential of twenty reissues at once", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => reissueCredential(w.ctx, { id: before.id })));
  expect(outcomes.filter((o) => o.status === "fulfilled")).toHaveLength(1);
  expect(outcomes.flatMap((o) => (o.status === "rejected" ? [(o.reason as { code?: string }).code] : []))).toEqual(Array.from({ length: 19 }, () => "credential_state"));
});
