import { expect, it } from "vitest";
import { readId } from "@/server/core/ids";
import { createTemplateVersion } from "@/server/templates/create-version";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { updateSubject } from "@/server/subjects/update";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { loadPublicPage } from "@/server/verification/public-page";
import type { Verification } from "@/server/verification/view";
import { getCredential } from "./get";
import { issueCredential } from "./issue";
import { reissueCredential } from "./reissue";
import { revokeCredential } from "./revoke";
import { updateCredential } from "./update";

it("replaces a live credential by one of the current version, with a new code and the same data", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id, { data: { seat: "4A" } });
  const version = await createTemplateVersion(w.ctx, { id: template.id, publish: true });
  const response = await call("POST", `/v1/credentials/${before.id}/reissue`, {
    token: await w.key(),
    body: { reason: "Name changed" },
  });
  expect(response.status).toBe(201);
  const after = response.json();
  expect(after).toMatchObject({
    subjectId: before.subjectId,
    templateVersionId: version.id,
    state: "active",
    supersedes: before.id,
    data: { seat: "4A" },
  });
  expect(after["code"]).not.toBe(before.code);
  expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({
    state: "revoked",
    revocationReason: "Name changed",
    supersededBy: after["id"],
  });
  expect((await eventsOf(w.orgId)).map((e) => e.type).slice(-3)).toEqual([
    "credential.revoked",
    "credential.created",
    "credential.issued",
  ]);
});

it("links to a credential that had already ended, and keeps its reason", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id);
  await revokeCredential(w.ctx, { id: before.id, reason: "Lost" });
  const after = await reissueCredential(w.ctx, { id: before.id });
  expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({
    state: "revoked",
    revocationReason: "Lost",
    supersededBy: after.id,
  });
  const events = await eventsOf(w.orgId);
  expect(events.slice(-3).map((e) => [e.type, e.data.previous])).toEqual([
    ["credential.updated", { supersededBy: null }],
    ["credential.created", undefined],
    ["credential.issued", undefined],
  ]);
});

it("refuses a superseded credential, and one whose subject holds another live one", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const first = await issued(w.ctx, template.id);
  const second = await reissueCredential(w.ctx, { id: first.id });
  await expect(reissueCredential(w.ctx, { id: first.id })).rejects.toMatchObject({
    code: "credential_state",
    extras: { members: { supersededBy: second.id } },
  });
  await revokeCredential(w.ctx, { id: second.id, reason: "Lost" });
  const { credential: third } = await issueCredential(w.ctx, {
    subject: { id: first.subjectId },
    templateId: template.id,
  });
  await expect(reissueCredential(w.ctx, { id: second.id })).rejects.toMatchObject({
    code: "credential_exists",
    extras: { members: { credentialId: third.id } },
  });
  expect(await getCredential(w.ctx, { id: second.id })).toMatchObject({ supersededBy: null });
});

it("makes one new credential from twenty reissues at once", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const before = await issued(w.ctx, template.id);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => reissueCredential(w.ctx, { id: before.id })),
  );
  expect(outcomes.filter((o) => o.status === "fulfilled")).toHaveLength(1);
  expect(outcomes.flatMap((o) => (o.status === "rejected" ? [(o.reason as { code?: string }).code] : []))).toEqual(
    Array.from({ length: 19 }, () => "credential_state"),
  );
});

const surfaces = async (code: string) => {
  const answers = await Promise.all([
    call("GET", `/public/credentials/${code}`),
    call("GET", `/public/verify?code=${code}`),
    call("POST", "/public/verify", { body: { code } }),
  ]);
  return answers.map((answer) => answer.json<Verification>());
};

it.each(["reissue", "replace"] as const)(
  "shows the public that a credential was replaced, but not by which one, after a %s",
  async (way) => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const before = await issued(w.ctx, template.id);
    const after =
      way === "reissue"
        ? await reissueCredential(w.ctx, { id: before.id, reason: "Card lost" })
        : (
            await issueCredential(w.ctx, {
              subject: { id: before.subjectId },
              templateId: template.id,
              ifExists: "replace",
            })
          ).credential;
    const page = await loadPublicPage(before.code, { via: "page", viewer: "somebody", now: new Date() });
    const asked = (
      await call("POST", "/v1/verify", { token: await w.key(), body: { code: before.code } })
    ).json<Verification>();
    for (const answer of [...(await surfaces(before.code)), asked, page.verification]) {
      expect(answer).toMatchObject({
        result: "invalid",
        state: "revoked",
        reason: "superseded",
        credential: { supersededBy: null },
      });
      expect(answer.reasonText).toMatch(/^This credential was replaced by a newer one/);
    }
    const shown = JSON.stringify([await surfaces(before.code), asked, page]);
    expect(shown).not.toContain(after.code);
    expect(shown).not.toContain(after.code.replaceAll("-", ""));
    expect(shown).not.toContain(after.id);
    expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({
      supersededBy: after.id,
      linkedPublicly: false,
    });
  },
);

it.each(["active", "revoked"])(
  "lets the public page of a credential that was %s name the new one with linkPublicly",
  async (state) => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const before = await issued(w.ctx, template.id);
    if (state === "revoked") await revokeCredential(w.ctx, { id: before.id, reason: "Ended" });
    const after = await reissueCredential(w.ctx, { id: before.id, linkPublicly: true });
    for (const answer of await surfaces(before.code)) {
      expect(answer).toMatchObject({ reason: "superseded", credential: { supersededBy: after.code } });
      expect(answer.reasonText).toContain(after.code);
    }
    expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ linkedPublicly: true });
  },
);

it("refuses to link two different names of one person, and reissues without a link", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { kind: "academic" });
  const before = await issued(w.ctx, template.id);
  await updateSubject(w.ctx, { id: before.subjectId, displayName: "Ada King" });
  const token = await w.key();
  const refused = await call("POST", `/v1/credentials/${before.id}/reissue`, { token, body: { linkPublicly: true } });
  expect([refused.status, refused.json()["code"]]).toEqual([409, "name_changed"]);
  expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "active", supersededBy: null });
  const after = await call("POST", `/v1/credentials/${before.id}/reissue`, { token, body: {} });
  expect([after.status, after.json()]).toMatchObject([201, { data: { subject: { displayName: "Ada King" } } }]);
  for (const answer of await surfaces(before.code)) expect(JSON.stringify(answer)).not.toContain("King");
});

it("refuses to link an ID to its successor if the holder's name has changed since its issue", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const token = await w.key();
  const reissue = (id: string, linkPublicly: boolean) =>
    call("POST", `/v1/credentials/${id}/reissue`, { token, body: { linkPublicly } });
  const before = await issued(w.ctx, template.id);
  await updateSubject(w.ctx, { id: before.subjectId, displayName: "Ada King" });
  const refused = await reissue(before.id, true);
  expect([refused.status, refused.json()]).toMatchObject([409, { code: "name_changed", credentialId: before.id }]);
  expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "active", supersededBy: null });
  const after = await reissue(before.id, false);
  expect(after.status).toBe(201);
  // The credential that is reissued here has the new name.
  const { id } = after.json<{ id: string }>();
  expect((await reissue(id, true)).status).toBe(201);
});

it("keeps the day of an academic award, unless it has expired or another day is sent", async () => {
  const w = await world();
  const degree = await publishedTemplate(w.ctx, { kind: "academic" });
  const awarded = "2020-07-01T00:00:00.000Z";
  const before = await issued(w.ctx, degree.id, { validFrom: awarded });
  const kept = await reissueCredential(w.ctx, { id: before.id });
  expect(kept.validFrom).toBe(awarded);
  const sent = await reissueCredential(w.ctx, { id: kept.id, validFrom: "2021-07-01T00:00:00.000Z" });
  expect(sent.validFrom).toBe("2021-07-01T00:00:00.000Z");
  await sql(`UPDATE credentials SET expires_at = '2024-01-01' WHERE org_id = $1 AND id = $2`, [
    w.orgId,
    readId("crd", sent.id),
  ]);
  const again = await reissueCredential(w.ctx, { id: sent.id });
  expect(Date.parse(again.validFrom)).toBeGreaterThan(Date.parse("2024-01-01"));
  const card = await publishedTemplate(w.ctx);
  const old = await issued(w.ctx, card.id, { validFrom: awarded });
  expect((await reissueCredential(w.ctx, { id: old.id })).validFrom).not.toBe(awarded);
});

it("keeps a chosen expiry, and lets the template decide any other", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { validity: { type: "duration", amount: 1, unit: "years" } });
  const chosen = await issued(w.ctx, template.id, { expiresAt: "2099-01-01T00:00:00Z" });
  expect(await reissueCredential(w.ctx, { id: chosen.id })).toMatchObject({ expiresAt: "2099-01-01T00:00:00.000Z" });
  const endless = await issued(w.ctx, template.id, { expiresAt: null });
  expect(await reissueCredential(w.ctx, { id: endless.id })).toMatchObject({ expiresAt: null });
  const changed = await issued(w.ctx, template.id);
  await updateCredential(w.ctx, { id: changed.id, expiresAt: "2098-01-01T00:00:00Z" });
  const again = await reissueCredential(w.ctx, { id: changed.id });
  expect(again).toMatchObject({ expiresAt: "2098-01-01T00:00:00.000Z" });
  expect(await reissueCredential(w.ctx, { id: again.id, expiresAt: "2097-01-01T00:00:00Z" })).toMatchObject({
    expiresAt: "2097-01-01T00:00:00.000Z",
  });
  const usual = await issued(w.at("2026-01-01T00:00:00Z"), template.id);
  expect(await reissueCredential(w.at("2026-06-01T00:00:00Z"), { id: usual.id })).toMatchObject({
    expiresAt: "2027-06-01T00:00:00.000Z",
  });
  const past = await issued(w.at("2026-01-01T00:00:00Z"), template.id, { expiresAt: "2026-02-01T00:00:00Z" });
  expect(await reissueCredential(w.at("2026-06-01T00:00:00Z"), { id: past.id })).toMatchObject({
    expiresAt: "2027-06-01T00:00:00.000Z",
  });
});
