import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "@/server/core/ids";
import { newCode } from "@/server/credentials/code";
import { getCredentialCard } from "@/server/credentials/card";
import { issueCredential } from "@/server/credentials/issue";
import { reissueCredential } from "@/server/credentials/reissue";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { updateOrganisation } from "@/server/organisations/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { confirmOrganisationName } from "@/server/organisations/confirm-name";
import type { Ctx } from "@/server/core/context";
import { newPublicId } from "@/server/core/ids";
import { createTemplate } from "@/server/templates/create";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { world, type World } from "@/server/testing/world";
import { flushVerifications } from "./observe";
import { viewCode, verifyCode, type VerificationContext } from "./verify-code";

let w: World;
let templateId: string;
let people = 0;

const context = (now: Date | string = new Date()): VerificationContext => ({
  via: "public",
  viewer: "somebody",
  now: new Date(now),
});
const subject = () => ({
  externalId: `person-${++people}`,
  displayName: "Ada Lovelace",
  email: "ada@example.edu",
  attributes: { secret: "not for anyone" },
});

async function issue(more: Partial<Parameters<typeof issueCredential>[1]> = {}) {
  const { credential } = await issueCredential(w.ctx, { subject: subject(), templateId, ...more });
  return credential;
}

beforeAll(async () => {
  w = await world();
  const template = await createTemplate(w.ctx, { name: "Library card", kind: "membership", publish: true });
  templateId = template.id;
});

describe("verification by code", () => {
  it("says that the issuer's name is unconfirmed until the operator confirms it", async () => {
    const home = await world();
    const template = await createTemplate(home.ctx, { name: "Library card", kind: "membership", publish: true });
    const { credential } = await issueCredential(home.ctx, { subject: subject(), templateId: template.id });
    const told = async () => {
      const { result, checks, credential: about } = await verifyCode(credential.code, context());
      return [result, about!.issuer.nameVerified, checks.find(({ name }) => name === "issuer_identity")?.outcome];
    };
    expect(await told()).toEqual(["valid", true, undefined]);
    await updateOrganisation(home.ctx, { name: "Harvard University" });
    expect(await told()).toEqual(["valid", false, "skipped"]);
    const member: Ctx = { ...home.ctx, actor: { type: "user", id: newPublicId("usr") } };
    await expect(confirmOrganisationName(member, {})).rejects.toMatchObject({ code: "insufficient_scope" });
    await confirmOrganisationName(home.ctx, {});
    expect(await told()).toEqual(["valid", true, undefined]);
  });

  it("says that a credential is valid, and shows only what is public", async () => {
    const { code, issuedAt } = await issue({ expiresAt: "2999-01-01T00:00:00Z" });
    const answer = await verifyCode(code, context());
    expect(answer).toMatchObject({ result: "valid", state: "active", reason: null, reasonText: null });
    expect(answer.checks.map(({ name, outcome }) => [name, outcome])).toEqual(
      ["code_exists", "issuer", "validity_period", "status", "supersession"].map((name) => [name, "pass"]),
    );
    expect(answer.credential).toEqual({
      code,
      kind: "membership",
      title: "Library card",
      issuer: {
        name: "Test Organisation",
        slug: expect.any(String),
        nameVerified: true,
        did: null,
        domain: null,
        domainVerified: false,
        registries: [],
        timeZone: "UTC",
        locale: "en-GB",
      },
      subject: { displayName: "Ada Lovelace", erased: false, withheld: false, hidden: false },
      fields: [],
      validFrom: issuedAt,
      issuedAt,
      expiresAt: "2999-01-01T00:00:00.000Z",
      revokedAt: null,
      revocationReason: null,
      supersededBy: null,
    });
    expect(JSON.stringify(answer)).not.toMatch(/not for anyone|ada@example|person-/);
  });

  it("reads a code in any case, without hyphens, with O for 0 and I and L for 1", async () => {
    const { code } = await issue();
    const typed = code.toLowerCase().replaceAll("-", "").replaceAll("0", "o").replaceAll("1", "l");
    expect((await verifyCode(` ${typed} `, context())).credential.code).toBe(code);
  });

  it.each([
    ["an empty one", ""],
    ["nonsense", "nonsense"],
    ["one not given out", newCode()],
    ["a letter that codes do not have", "U".repeat(16)],
    ["a long one", "x".repeat(2000)],
  ])("throws not_found for %s", async (_, code) => {
    await expect(verifyCode(code, context())).rejects.toMatchObject({
      code: "not_found",
      message: "There is no credential with this code.",
    });
  });

  it("rejects a revoked credential at once, with the public reason", async () => {
    const { id, code } = await issue();
    await revokeCredential(w.ctx, { id, reason: "Left the library", note: "owes us 40 books" });
    const answer = await verifyCode(code, context());
    expect(answer).toMatchObject({
      result: "invalid",
      state: "revoked",
      reason: "revoked",
      credential: { revocationReason: "Left the library", revokedAt: expect.any(String) },
    });
    expect(answer.reasonText).toContain("Left the library");
    expect(answer.checks.find(({ name }) => name === "status")?.outcome).toBe("fail");
    expect(JSON.stringify(answer)).not.toContain("40 books");
  });

  it("rejects a suspended credential, and accepts it again once resumed", async () => {
    const { id, code } = await issue();
    await suspendCredential(w.ctx, { id, reason: "Books overdue" });
    expect(await verifyCode(code, context())).toMatchObject({
      result: "invalid",
      state: "suspended",
      reason: "suspended",
      reasonText: expect.stringContaining("Books overdue"),
    });
    await resumeCredential(w.ctx, { id });
    expect(await verifyCode(code, context())).toMatchObject({ result: "valid", state: "active", reason: null });
  });

  it("changes with the clock to the millisecond: not yet valid, valid, expired", async () => {
    const { code } = await issue({ validFrom: "2990-01-01T00:00:00.000Z", expiresAt: "2991-01-01T00:00:00.000Z" });
    const at = (time: string) => verifyCode(code, context(time));
    expect(await at("2989-12-31T23:59:59.999Z")).toMatchObject({
      result: "invalid",
      state: "pending",
      reason: "not_yet_valid",
      credential: { issuedAt: null },
    });
    expect(await at("2990-01-01T00:00:00.000Z")).toMatchObject({
      result: "valid",
      state: "active",
      credential: { issuedAt: "2990-01-01T00:00:00.000Z" },
    });
    expect(await at("2990-12-31T23:59:59.999Z")).toMatchObject({ result: "valid" });
    expect(await at("2991-01-01T00:00:00.000Z")).toMatchObject({
      result: "invalid",
      state: "expired",
      reason: "expired",
    });
  });

  it("gives the more final of two reasons, and shows both in its checks", async () => {
    const { id, code } = await issue({ expiresAt: "2990-01-01T00:00:00Z" });
    await revokeCredential(w.ctx, { id, reason: "Stolen" });
    const answer = await verifyCode(code, context("2995-01-01T00:00:00Z"));
    expect(answer).toMatchObject({ state: "revoked", reason: "revoked" });
    expect(answer.checks.filter(({ outcome }) => outcome === "fail").map(({ name }) => name)).toEqual([
      "validity_period",
      "status",
    ]);
  });

  it("names the newer credential if the reissue asked for it", async () => {
    const old = await issue();
    const newer = await reissueCredential(w.ctx, { id: old.id, linkPublicly: true });
    const answer = await verifyCode(old.code, context());
    expect(answer).toMatchObject({
      result: "invalid",
      state: "revoked",
      reason: "superseded",
      credential: { supersededBy: newer.code },
    });
    expect(answer.reasonText).toContain(newer.code);
    expect(await verifyCode(newer.code, context())).toMatchObject({ result: "valid" });
  });

  it("names the newer credential of one that was revoked before its reissue, with the reason of the revocation", async () => {
    const { id, code } = await issue();
    await revokeCredential(w.ctx, { id, reason: "Stolen" });
    const newer = await reissueCredential(w.ctx, { id, linkPublicly: true });
    const answer = await verifyCode(code, context());
    expect(answer).toMatchObject({
      reason: "superseded",
      credential: { supersededBy: newer.code, revocationReason: "Stolen" },
    });
    expect(answer.reasonText).toContain("Stolen");
  });

  it("shows the fields that the template makes public and no other, read live", async () => {
    const fields = [
      { key: "programme", label: { en: "Programme" }, binding: "attributes.programme" },
      { key: "number", label: "Number", binding: "subject.externalId" },
      { key: "grade", label: "Grade", binding: "credential.data.grade" },
    ];
    const shown = await createTemplate(w.ctx, {
      name: "Student",
      kind: "student_id",
      publish: true,
      design: { front: { fields }, publicFields: ["grade", "programme"] },
    });
    const person = { ...subject(), attributes: { programme: "Mathematics", secret: "not for anyone" } };
    const { code } = await issue({ subject: person, templateId: shown.id, data: { grade: "A", private: "nor this" } });
    const first = await verifyCode(code, context());
    expect(first.credential.fields).toEqual([
      { key: "grade", label: "Grade", value: "A", format: "text" },
      { key: "programme", label: "Programme", value: "Mathematics", format: "text" },
    ]);
    expect(JSON.stringify(first)).not.toMatch(/not for anyone|nor this|person-/);
    await upsertSubject(w.ctx, { ...person, displayName: "Ada King", attributes: { programme: "Computing" } });
    expect((await verifyCode(code, context())).credential).toMatchObject({
      subject: { displayName: "Ada King" },
      fields: [{}, { value: "Computing" }],
    });
  });

  it("shows an end at midnight as the day before, the last day on which the credential is valid", async () => {
    const fields = [{ key: "until", label: "Valid until", binding: "credential.expiresAt", format: "date" as const }];
    const shown = await publishedTemplate(w.ctx, { design: { front: { fields }, publicFields: ["until"] } });
    const { code } = await issue({ templateId: shown.id, expiresAt: "2999-09-01T00:00:00Z" });
    expect((await verifyCode(code, context())).credential.fields).toMatchObject([{ value: "2999-08-31" }]);
  });

  it.each([
    ["Pacific/Kiritimati", "2029-01-31T10:00:00Z"],
    ["Pacific/Pago_Pago", "2029-02-01T11:00:00Z"],
    ["Europe/Berlin", "2029-01-31T23:00:00Z"],
  ])("shows the same last day in the reason, checks, fields and on the card in %s", async (timeZone, expiresAt) => {
    const there = await world();
    await updateOrganisation(there.ctx, { timeZone });
    const fields = [{ key: "until", label: "Good until", binding: "credential.expiresAt", format: "date" as const }];
    const template = await publishedTemplate(there.ctx, { design: { front: { fields }, publicFields: ["until"] } });
    const { id, code } = await issued(there.ctx, template.id, { expiresAt });
    const [valid, expired] = [
      await verifyCode(code, context("2029-01-01T00:00:00Z")),
      await verifyCode(code, context(expiresAt)),
    ];
    expect(valid.credential).toMatchObject({
      issuer: { timeZone, locale: "en-GB" },
      fields: [{ value: "2029-01-31" }],
    });
    expect((await getCredentialCard(there.ctx, { id })).fields).toMatchObject([{ value: "2029-01-31" }]);
    expect(valid.checks.map(({ detail }) => detail)).toContain("Valid through 31 January 2029.");
    expect(expired.reasonText).toBe("This credential has expired. It was valid through 31 January 2029.");
    expect(JSON.stringify([valid, expired])).not.toContain("February 2029");
  });

  it("shows an end that is not at midnight as its day on the card, and with time and zone in the reason and checks", async () => {
    const there = await world();
    await updateOrganisation(there.ctx, { timeZone: "Europe/Berlin", locale: "de-DE" });
    const binding = "credential.expiresAt";
    const fields = [
      { key: "until", label: "Bis", binding, format: "date" as const },
      { key: "exactly", label: "Ende", binding, format: "datetime" as const },
    ];
    const publicFields = ["until", "exactly"];
    const template = await publishedTemplate(there.ctx, { design: { front: { fields }, publicFields } });
    const { id, code } = await issued(there.ctx, template.id, { expiresAt: "2029-01-31T11:30:00Z" });
    const shown = [
      { value: "2029-01-31", format: "date" },
      { value: "2029-01-31T11:30:00.000Z", format: "datetime" },
    ];
    const { credential, checks } = await verifyCode(code, context("2029-01-01T00:00:00Z"));
    expect(credential).toMatchObject({ expiresAt: "2029-01-31T11:30:00.000Z", fields: shown });
    expect((await getCredentialCard(there.ctx, { id })).fields).toMatchObject(shown);
    expect(checks.map(({ detail }) => detail)).toContain("Valid through 31. Januar 2029 um 12:30 MEZ.");
    expect((await verifyCode(code, context("2029-02-01T00:00:00Z"))).reasonText).toBe(
      "This credential has expired. It was valid through 31. Januar 2029 um 12:30 MEZ.",
    );
  });

  it("shows an academic credential as it was at issue, whatever changes later", async () => {
    const fields = [{ key: "programme", label: "Programme", binding: "attributes.programme" }];
    const degree = await createTemplate(w.ctx, {
      name: "Degree",
      kind: "academic",
      publish: true,
      design: { front: { fields }, publicFields: ["programme"] },
    });
    const person = { ...subject(), attributes: { programme: "Mathematics" } };
    const { code } = await issue({ subject: person, templateId: degree.id });
    await upsertSubject(w.ctx, { ...person, displayName: "Ada King", attributes: { programme: "Computing" } });
    expect((await verifyCode(code, context())).credential).toMatchObject({
      subject: { displayName: "Ada Lovelace" },
      fields: [{ value: "Mathematics" }],
    });
  });
});

describe("events of verification", () => {
  const told = async (credentialId: string) => {
    await flushVerifications();
    const events = (await eventsOf(w.orgId)) as (Awaited<ReturnType<typeof eventsOf>>[number] & { actor: object })[];
    return events
      .filter(({ data: { object } }) => object["object"] === "verification" && object["credentialId"] === credentialId)
      .map(({ type, actor, data }) => ({ type, actor, ...data.object }));
  };

  it("coalesce equal verifications into one event that counts them", async () => {
    const { id, code } = await issue();
    for (let i = 0; i < 5; i++) await verifyCode(code, context());
    expect(await told(id)).toEqual([
      {
        type: "credential.verified",
        actor: { type: "public", id: "anonymous" },
        object: "verification",
        credentialId: id,
        code,
        result: "valid",
        state: "active",
        reason: null,
        via: "public",
        count: 5,
      },
    ]);
  });

  it("survive a clean stop, even before the 60 seconds have passed", async () => {
    const { id, code } = await issue();
    await verifyCode(code, context());
    await flushVerifications();
    await verifyCode(code, context());
    expect(await told(id)).toMatchObject([{ count: 1 }, { count: 1 }]);
  });

  it("record a refusal with its reason, and a visit to the page", async () => {
    const { id, code } = await issue();
    await suspendCredential(w.ctx, { id, reason: "Overdue" });
    await verifyCode(code, context());
    await viewCode(code, { ...context(), via: "page" });
    expect(await told(id)).toMatchObject([
      {
        type: "credential.verify_refused",
        result: "invalid",
        state: "suspended",
        reason: "suspended",
        via: "public",
        count: 1,
      },
      { type: "credential.viewed", result: "invalid", via: "page", count: 1 },
    ]);
  });

  it("give the state at this instant, not the one last written", async () => {
    const { id, code } = await issue({ expiresAt: "2990-01-01T00:00:00Z" });
    await verifyCode(code, context("2991-01-01T00:00:00Z"));
    expect(await told(id)).toMatchObject([{ state: "expired", reason: "expired" }]);
  });

  it("name the caller to its own organisation and to no other", async () => {
    const { id, code } = await issue();
    const actor = { type: "api_key" as const, id: "key_1" };
    await verifyCode(code, { ...context(), via: "api", caller: { orgId: w.orgId, actor } });
    await verifyCode(code, { ...context(), via: "api", caller: { orgId: newId("org"), actor } });
    expect((await told(id)).map((event) => event.actor)).toEqual([actor, { type: "public", id: "anonymous" }]);
  });
});
