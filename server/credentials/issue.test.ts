import { describe, expect, it } from "vitest";
import { deleteSubject } from "@/server/subjects/delete";
import { upsertSubject } from "@/server/subjects/upsert";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createTemplate } from "@/server/templates/create";
import { archiveTemplateVersion } from "@/server/templates/archive-version";
import { getCredential } from "./get";
import { issueCredential } from "./issue";

const year = 365 * 86_400_000;
const typesOf = async (w: World) => (await eventsOf(w.orgId)).map((e) => e.type);

describe("POST /v1/credentials", () => {
  it("answers 201 with the fields of the contract", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const response = await call("POST", "/v1/credentials", {
      token: await w.key(),
      body: { subject: { externalId: "s-1", displayName: "Ada" }, templateId: template.id, data: { seat: "4A" } },
    });
    expect(response.status).toBe(201);
    const credential = response.json();
    expect(credential).toMatchObject({
      object: "credential",
      templateId: template.id,
      templateVersionId: template.version.id,
      achievementVersionId: null,
      kind: "membership",
      state: "active",
      data: { seat: "4A" },
      expiresAt: null,
      suspendedAt: null,
      suspensionReason: null,
      revokedAt: null,
      revocationReason: null,
      supersedes: null,
      supersededBy: null,
      channels: [],
      source: { type: "api", id: expect.stringMatching(/^key_/) },
    });
    expect(credential["id"]).toMatch(/^crd_[0-9a-z]{26}$/);
    expect(credential["code"]).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(credential["verifyUrl"]).toBe(`http://localhost:3000/c/${String(credential["code"])}`);
    // The database stamps createdAt when it stores the row, after the request came in.
    expect(String(credential["issuedAt"]) <= String(credential["createdAt"])).toBe(true);
    expect(await typesOf(w)).toEqual([
      "template.version.published",
      "subject.created",
      "credential.created",
      "credential.issued",
    ]);
  });

  it("makes one credential and one pair of events from twenty identical issues at once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const body = { subject: { externalId: "s-1" }, templateId: template.id, ifExists: "return" };
    const token = await w.key();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call("POST", "/v1/credentials", { token, body })),
    );
    expect(answers.map((a) => a.status).sort()).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(new Set(answers.map((a) => a.json()["id"])).size).toBe(1);
    expect(await typesOf(w)).toEqual([
      "template.version.published",
      "subject.created",
      "credential.created",
      "credential.issued",
    ]);
  });

  it("names the existing credential to all but one of twenty requests at once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const { subject } = await upsertSubject(w.ctx, { externalId: "s-1" });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        issueCredential(w.ctx, { subject: { id: subject.id }, templateId: template.id }),
      ),
    );
    const made = outcomes.filter((o) => o.status === "fulfilled");
    expect(made).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        expect(outcome.reason).toMatchObject({
          code: "credential_exists",
          extras: { members: { credentialId: made[0]!.value.credential.id } },
        });
      }
    }
  });

  it("with ifExists replace revokes the previous credential as superseded, and both name each other", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const before = await issued(w.ctx, template.id);
    const { credential, created } = await issueCredential(w.ctx, {
      subject: { id: before.subjectId },
      templateId: template.id,
      ifExists: "replace",
    });
    expect(created).toBe(true);
    expect(credential).toMatchObject({ state: "active", supersedes: before.id, supersededBy: null });
    expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({
      state: "revoked",
      supersededBy: credential.id,
      revocationReason: "Superseded by a newer credential.",
    });
    expect((await typesOf(w)).slice(-3)).toEqual(["credential.revoked", "credential.created", "credential.issued"]);
  });

  it("leaves one live credential after twenty replacements at once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const { subjectId } = await issued(w.ctx, template.id);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        issueCredential(w.ctx, { subject: { id: subjectId }, templateId: template.id, ifExists: "replace" }),
      ),
    );
    const rows = await sql<{ state: string; n: number }>(
      `SELECT state, count(*) AS n FROM credentials WHERE org_id = $1 GROUP BY state ORDER BY state`,
      [w.orgId],
    );
    expect(rows).toEqual([
      { state: "active", n: 1 },
      { state: "revoked", n: 20 },
    ]);
  });

  it("expires a credential past its expiry, with its event, before it issues the next", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const before = await issued(w.at("2026-01-01T00:00:00Z"), template.id, { expiresAt: "2026-06-01T00:00:00Z" });
    const { credential } = await issueCredential(w.at("2026-06-01T00:00:00Z"), {
      subject: { id: before.subjectId },
      templateId: template.id,
    });
    expect(credential).toMatchObject({ state: "active", supersedes: null });
    expect(await getCredential(w.ctx, { id: before.id })).toMatchObject({ state: "expired" });
    expect((await typesOf(w)).slice(-3)).toEqual(["credential.expired", "credential.created", "credential.issued"]);
  });

  it("makes the credential pending until validFrom, and then active before anything writes that", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const credential = await issued(w.at("2026-01-01T00:00:00Z"), template.id, { validFrom: "2026-02-01T00:00:00Z" });
    expect(credential).toMatchObject({ state: "pending", issuedAt: null, validFrom: "2026-02-01T00:00:00.000Z" });
    expect((await typesOf(w)).slice(-1)).toEqual(["credential.created"]);
    expect(await getCredential(w.at("2026-01-31T23:59:59.999Z"), { id: credential.id })).toMatchObject({
      state: "pending",
      issuedAt: null,
    });
    expect(await getCredential(w.at("2026-02-01T00:00:00Z"), { id: credential.id })).toMatchObject({
      state: "active",
      issuedAt: "2026-02-01T00:00:00.000Z",
    });
  });

  it("takes the expiry from the template's validity unless it is sent", async () => {
    const w = await world();
    const attribute = await publishedTemplate(w.ctx, { validity: { type: "attribute", attribute: "contract.end" } });
    const subject = { externalId: "s-1", attributes: { contract: { end: "2099-08-31" } } };
    const byAttribute = await issueCredential(w.ctx, { subject, templateId: attribute.id });
    expect(byAttribute.credential.expiresAt).toBe("2099-09-01T00:00:00.000Z");
    const duration = await publishedTemplate(w.ctx, { validity: { type: "duration", amount: 365, unit: "days" } });
    const byDuration = await issued(w.ctx, duration.id);
    expect(Date.parse(byDuration.expiresAt!)).toBe(w.ctx.now.getTime() + year);
    expect((await issued(w.ctx, duration.id, { expiresAt: null })).expiresAt).toBeNull();
    await expect(
      issueCredential(w.ctx, { subject: { externalId: "s-2" }, templateId: attribute.id }),
    ).rejects.toMatchObject({ code: "validity_unresolved" });
    const past = await publishedTemplate(w.at("2019-12-31T00:00:00Z"), {
      validity: { type: "fixed_date", date: "2020-01-01" },
    });
    await expect(issued(w.ctx, past.id)).rejects.toMatchObject({ code: "expiry_out_of_range" });
  });

  it("refuses inactive subjects, drafts, archived templates, and an expiry in the past", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const { subject } = await upsertSubject(w.ctx, { externalId: "s-1", status: "inactive" });
    await expect(
      issueCredential(w.ctx, { subject: { id: subject.id }, templateId: template.id }),
    ).rejects.toMatchObject({ code: "subject_inactive" });
    const draft = await createTemplate(w.ctx, { name: "Draft", kind: "membership" });
    await expect(issued(w.ctx, draft.id)).rejects.toMatchObject({ code: "template_not_published" });
    await expect(issued(w.ctx, template.id, { expiresAt: "2020-01-01T00:00:00Z" })).rejects.toMatchObject({
      code: "invalid_request",
    });
    await archiveTemplateVersion(w.ctx, { id: template.id, version: 1 });
    await expect(issued(w.ctx, template.id)).rejects.toMatchObject({ code: "template_archived" });
  });

  it("answers 404 for subjects and templates of another organisation", async () => {
    const [w, other] = [await world(), await world()];
    const [mine, theirs] = [await publishedTemplate(w.ctx), await publishedTemplate(other.ctx)];
    const { subject } = await upsertSubject(other.ctx, { externalId: "s-1" });
    await expect(issued(w.ctx, theirs.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(issueCredential(w.ctx, { subject: { id: subject.id }, templateId: mine.id })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("requires subjects:write only if it would write the subject", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await upsertSubject(w.ctx, { externalId: "known" });
    const issuer = w.as("credentials:issue");
    await expect(
      issueCredential(issuer, { subject: { externalId: "new" }, templateId: template.id }),
    ).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(
      issueCredential(issuer, { subject: { externalId: "known", displayName: "X" }, templateId: template.id }),
    ).rejects.toMatchObject({ code: "insufficient_scope" });
    await expect(
      issueCredential(issuer, { subject: { externalId: "known" }, templateId: "tpl_0" }),
    ).rejects.toMatchObject({ code: "not_found" });
    expect((await issueCredential(issuer, { subject: { externalId: "known" }, templateId: template.id })).created).toBe(
      true,
    );
  });

  it("keeps the name and bound attributes in an academic credential and in no other", async () => {
    const w = await world();
    const design = {
      front: {
        fields: [
          { key: "degree", binding: "attributes.study.degree" },
          { key: "mail", binding: "subject.email" },
          { key: "grade", binding: "credential.data.grade" },
        ],
      },
    };
    const subject = {
      externalId: "s-1",
      displayName: "Ada Lovelace",
      email: "ada@example.edu",
      attributes: { study: { degree: "BSc", advisor: "Babbage" }, phone: "1" },
    };
    const academic = await publishedTemplate(w.ctx, { kind: "academic", design });
    const { credential } = await issueCredential(w.ctx, { subject, templateId: academic.id, data: { grade: "A" } });
    expect(credential.data).toEqual({
      grade: "A",
      subject: { displayName: "Ada Lovelace", email: "ada@example.edu" },
      attributes: { study: { degree: "BSc" } },
    });
    const card = await publishedTemplate(w.ctx, { kind: "student_id", design });
    expect((await issueCredential(w.ctx, { subject, templateId: card.id })).credential.data).toEqual({});
  });

  it.each([
    [{ subject: {} }],
    [{ subject: { id: "sub_1", externalId: "s-1" } }],
    [{ subject: { id: "sub_1", displayName: "X" } }],
    [{ data: { subject: 1 } }],
    [{ validFrom: "9999-12-31T23:59:59-01:00" }],
    [{ expiresAt: "tomorrow" }],
    [{ ifExists: "ignore" }],
    [{ colour: "blue" }],
  ])("refuses %j", async (wrong) => {
    const w = await world();
    const body = { subject: { externalId: "s-1" }, templateId: (await publishedTemplate(w.ctx)).id, ...wrong };
    expect((await call("POST", "/v1/credentials", { token: await w.key(), body })).status).toBe(400);
  });
});

it("an issue and the deletion of its subject at the same moment never both succeed, and the refusal says why", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  for (let round = 0; round < 15; round++) {
    const { subject } = await upsertSubject(w.ctx, { externalId: `s-${round}` });
    const [made, deleted] = await Promise.allSettled([
      issueCredential(w.ctx, { subject: { id: subject.id }, templateId: template.id }),
      deleteSubject(w.ctx, { id: subject.id }),
    ]);
    const codeOf = (outcome: PromiseSettledResult<unknown>) =>
      outcome.status === "rejected" ? (outcome.reason as { code: string }).code : "done";
    expect([
      ["done", "subject_has_credentials"],
      ["not_found", "done"],
    ]).toContainEqual([codeOf(made), codeOf(deleted)]);
  }
});
