import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTemplateVersion } from "@/server/templates/create-version";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { getOrganisation } from "@/server/organisations/get";
import { readStatusList } from "@/server/issuers/status/read-list";
import { Bitstring } from "@/server/standards/status-list/bitstring";
import { findByCode } from "@/server/verification/find-by-code";
import { runBulkChunk } from "./bulk-run";
import { readCode } from "./code";
import { getCredential } from "./get";
import { revokeCredential } from "./revoke";
import { suspendCredential } from "./suspend";

// Workers process the jobs of all organisations, so these tests have their own database.
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await ownDatabase();
});
afterAll(() => drop());
beforeEach(() => sql(`TRUNCATE organisations CASCADE`));

async function finish(): Promise<void> {
  while (await runBulkChunk(new Date())) continue;
}

const shows = (text: string) => ({
  front: { fields: [{ key: "motto", label: "Motto", text }] },
  publicFields: ["motto"],
});

/** A template with two published versions, and a function that applies the second to credentials of the first. */
async function redesigned(w: World, kind: "membership" | "academic" = "membership") {
  const template = await publishedTemplate(w.ctx, { kind, design: shows("Old motto") });
  const token = await w.key();
  return {
    template,
    publishNext: (publish = true) =>
      createTemplateVersion(w.ctx, { id: template.id, design: shows("New motto"), publish }),
    apply: (expectedCount: number, version = 2) =>
      call("POST", `/v1/templates/${template.id}/versions/${version}/apply`, { token, body: { expectedCount } }),
  };
}

it("applies the version to live credentials, whose data and expiry stay, and not to ended ones", async () => {
  const w = await world();
  const { template, publishNext, apply } = await redesigned(w);
  const active = await issued(w.ctx, template.id, { data: { motto: "kept" }, expiresAt: "2099-01-01T00:00:00Z" });
  const suspended = await issued(w.ctx, template.id);
  await suspendCredential(w.ctx, { id: suspended.id });
  const pending = await issued(w.ctx, template.id, { validFrom: "2098-01-01T00:00:00Z" });
  const revoked = await issued(w.ctx, template.id);
  await revokeCredential(w.ctx, { id: revoked.id, reason: "Left" });
  const next = await publishNext();
  expect((await call("GET", `/c/${active.code}`)).text).toContain("Old motto");
  const accepted = await apply(3);
  expect([accepted.status, accepted.json()]).toEqual([
    202,
    expect.objectContaining({ action: "apply_version", templateId: template.id, total: 3 }),
  ]);
  await finish();
  for (const { id } of [active, suspended, pending])
    expect((await getCredential(w.ctx, { id })).templateVersionId).toBe(next.id);
  expect(await getCredential(w.ctx, { id: active.id })).toMatchObject({
    data: { motto: "kept" },
    expiresAt: active.expiresAt,
    state: "active",
  });
  expect((await getCredential(w.ctx, { id: revoked.id })).templateVersionId).toBe(revoked.templateVersionId);
  const { text } = await call("GET", `/c/${active.code}`);
  expect([text.includes("New motto"), text.includes("Old motto")]).toEqual([true, false]);
  const updated = (await eventsOf(w.orgId)).filter(({ type }) => type === "credential.updated");
  expect(updated.map(({ data }) => data)).toEqual(
    Array.from({ length: 3 }, () =>
      expect.objectContaining({
        object: expect.objectContaining({ templateVersionId: next.id }),
        previous: { templateVersionId: template.version.id },
      }),
    ),
  );
});

it("applying a version twice changes nothing the second time", async () => {
  const w = await world();
  const { template, publishNext, apply } = await redesigned(w);
  await issued(w.ctx, template.id);
  await publishNext();
  for (let turn = 0; turn < 2; turn++) {
    expect((await apply(1)).status).toBe(202);
    await finish();
  }
  expect((await eventsOf(w.orgId)).filter(({ type }) => type === "credential.updated")).toHaveLength(1);
});

it("refuses a wrong number of live credentials with the present one, and does nothing", async () => {
  const w = await world();
  const { template, publishNext, apply } = await redesigned(w);
  const { id, templateVersionId } = await issued(w.ctx, template.id);
  await publishNext();
  const refused = await apply(412);
  expect([refused.status, refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: "count_mismatch", count: 1, expectedCount: 412 }),
  ]);
  await finish();
  expect((await getCredential(w.ctx, { id })).templateVersionId).toBe(templateVersionId);
});

it("a draft, and any version of an academic template, is refused", async () => {
  const w = await world();
  const drafted = await redesigned(w);
  await issued(w.ctx, drafted.template.id);
  await drafted.publishNext(false);
  expect((await drafted.apply(1)).json()).toMatchObject({ status: 409, code: "version_state" });
  const academic = await redesigned(w, "academic");
  const degree = await issued(w.ctx, academic.template.id);
  await academic.publishNext();
  expect((await academic.apply(1)).json()).toMatchObject({ status: 409, code: "wrong_kind" });
  expect((await getCredential(w.ctx, { id: degree.id })).templateVersionId).toBe(degree.templateVersionId);
});

it("gives live credentials a signed QR code and an index in the status lists, with the state of suspended ones; ended ones get none", async () => {
  const w = await world();
  const { template, apply } = await redesigned(w);
  const [active, suspended, ended] = [
    await issued(w.ctx, template.id),
    await issued(w.ctx, template.id),
    await issued(w.ctx, template.id),
  ];
  await suspendCredential(w.ctx, { id: suspended.id, reason: "Fees" });
  await revokeCredential(w.ctx, { id: ended.id, reason: "Left" });
  await createTemplateVersion(w.ctx, {
    id: template.id,
    design: { ...shows("New motto"), signedQr: true },
    publish: true,
  });
  const indexOf = async (code: string) => (await findByCode(readCode(code)!, new Date()))!.status_index;
  expect(await indexOf(active.code)).toBeNull();
  await readStatusList((await getOrganisation(w.ctx, {})).slug, "suspension", new Date());
  expect((await apply(2)).status).toBe(202);
  await finish();
  const places = await Promise.all([active, suspended, ended].map(({ code }) => indexOf(code)));
  expect(places).toEqual([expect.any(Number), expect.any(Number), null]);
  expect(places[0]).not.toBe(places[1]);
  const isSet = async (purpose: "revocation" | "suspension", index: number) => {
    const { document } = await readStatusList((await getOrganisation(w.ctx, {})).slug, purpose, new Date());
    const { credentialSubject } = JSON.parse(document) as { credentialSubject: { encodedList: string } };
    return Bitstring.decode(credentialSubject.encodedList).get(index) === 1;
  };
  expect(await Promise.all([isSet("suspension", places[0]!), isSet("suspension", places[1]!)])).toEqual([false, true]);
  // When the version is applied again, they keep their indexes.
  await createTemplateVersion(w.ctx, { id: template.id, design: { signedQr: true }, publish: true });
  expect((await apply(2, 3)).status).toBe(202);
  await finish();
  expect(await Promise.all([active, suspended].map(({ code }) => indexOf(code)))).toEqual(places.slice(0, 2));
  await revokeCredential(w.ctx, { id: active.id, reason: "Lost" });
  expect(await isSet("revocation", places[0]!)).toBe(true);
});
