import { describe, expect, it } from "vitest";
import { publicId, type Id } from "@/server/core/ids";
import { listSubjects } from "@/server/subjects/list";
import { upsertSubject } from "@/server/subjects/upsert";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { issueCredential } from "./issue";

const issueAll = async (w: World, items: object[]) =>
  (await bulkCredentials(w.ctx, { action: "issue", items })).result!.data;
const said = (rows: Awaited<ReturnType<typeof issueAll>>) =>
  rows.map((row) => (row.ok ? row.credential!.state : row.error.code));
const typesOf = async (w: World) =>
  (await eventsOf(w.orgId)).map((e) => e.type).filter((type) => /^(credential|subject)\./.test(type));

describe("a set of credentials", () => {
  it("gives each row the result that it would have alone", async () => {
    const w = await world();
    const [template, draft, academic] = [
      await publishedTemplate(w.ctx),
      await publishedTemplate(w.ctx, { publish: false }),
      await publishedTemplate(w.ctx, { kind: "academic" }),
    ];
    const { subject: known } = await upsertSubject(w.ctx, { externalId: "known", displayName: "Known" });
    await upsertSubject(w.ctx, { externalId: "inactive", status: "inactive" });
    const held = await issueCredential(w.ctx, { subject: { externalId: "held" }, templateId: template.id });
    const rows = await issueAll(w, [
      { subject: { id: known.id }, templateId: template.id },
      { subject: { externalId: "new", displayName: "New" }, templateId: academic.id },
      { subject: { externalId: "inactive" }, templateId: template.id },
      { subject: { externalId: "held" }, templateId: template.id },
      { subject: { externalId: "held" }, templateId: template.id, ifExists: "return" },
      { subject: { externalId: "unpublished" }, templateId: draft.id },
      { subject: { externalId: "later" }, templateId: template.id, validFrom: "2090-01-01T00:00:00Z" },
      { subject: { externalId: "past" }, templateId: template.id, expiresAt: "2020-01-01T00:00:00Z" },
      { subject: { id: known.id.replace(/.$/, "0").replace(/..$/, "zz") }, templateId: template.id },
      { subject: { externalId: "nowhere" }, templateId: template.id.replace(/..$/, "zz") },
      { subject: {}, templateId: template.id },
    ]);
    expect(said(rows)).toEqual([
      "active",
      "active",
      "subject_inactive",
      "credential_exists",
      "active",
      "template_not_published",
      "pending",
      "invalid_request",
      "not_found",
      "not_found",
      "invalid_request",
    ]);
    expect(rows[3]).toMatchObject({ error: { credentialId: held.credential.id } });
    expect(rows[4]).toMatchObject({ credential: { id: held.credential.id } });
    expect(rows[1]).toMatchObject({
      credential: { data: { subject: { displayName: "New" } }, source: { type: "bulk" } },
    });
    // Refused rows left no subject behind.
    expect((await listSubjects(w.ctx, {})).data.map((subject) => subject.externalId).toSorted()).toEqual([
      "held",
      "inactive",
      "known",
      "later",
      "new",
    ]);
  });

  it("processes rows of one subject in their order, however they name it", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx, { kind: "academic" });
    const { subject } = await upsertSubject(w.ctx, { externalId: "s", displayName: "First" });
    const rows = await issueAll(w, [
      { subject: { id: subject.id }, templateId: template.id },
      { subject: { externalId: "s", displayName: "Second" }, templateId: template.id, ifExists: "replace" },
      { subject: { externalId: "s", displayName: "Third" }, templateId: template.id },
      { subject: { externalId: "s" }, templateId: template.id, ifExists: "return" },
    ]);
    expect(said(rows)).toEqual(["active", "active", "credential_exists", "active"]);
    const names = rows.map((row) =>
      row.ok ? (row.credential!.data["subject"] as { displayName: string }).displayName : null,
    );
    expect(names).toEqual(["First", "Second", null, "Second"]);
    expect((await listSubjects(w.ctx, { externalId: "s" })).data[0]!.displayName).toBe("Second");
    expect(await typesOf(w)).toEqual([
      "subject.created",
      "credential.created",
      "credential.issued",
      "subject.updated",
      "credential.revoked",
      "credential.created",
      "credential.issued",
    ]);
  });

  it("replaces many credentials at once, and each names its own successor", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const items = Array.from({ length: 20 }, (_, i) => ({
      subject: { externalId: `p-${i}` },
      templateId: template.id,
      ifExists: "replace",
    }));
    const before = await issueAll(w, items);
    const after = await issueAll(w, items.toReversed());
    const idOf = (row: (typeof before)[number]) => (row.ok ? row.credential!.id : "");
    expect(after.map((row) => row.ok && row.credential!.supersedes)).toEqual(before.map(idOf).toReversed());
    const rows = await sql<{ id: Id<"crd">; superseded_by: Id<"crd"> }>(
      `SELECT id, superseded_by FROM credentials WHERE org_id = $1 AND state = 'revoked'`,
      [w.orgId],
    );
    expect(new Map(rows.map((row) => [publicId("crd", row.id), publicId("crd", row.superseded_by)]))).toEqual(
      new Map(before.map((row, i) => [idOf(row), idOf(after[19 - i]!)])),
    );
  });

  it("issues the other rows if one subject's attributes would grow too large", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await upsertSubject(w.ctx, { externalId: "full", attributes: { a: "x".repeat(60_000) } });
    const rows = await issueAll(w, [
      { subject: { externalId: "full", attributes: { b: "x".repeat(10_000) } }, templateId: template.id },
      { subject: { externalId: "other", displayName: "Other" }, templateId: template.id },
    ]);
    expect(said(rows)).toEqual(["invalid_request", "active"]);
    expect((await listSubjects(w.ctx, { externalId: "full" })).data[0]!.attributes).not.toHaveProperty("b");
  });

  it("writes any number of rows in one subtransaction", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const subtransactions = async (n: number, prefix: string) => {
      const before = await count();
      await issueAll(
        w,
        Array.from({ length: n }, (_, i) => ({
          subject: { externalId: `${prefix}-${i}`, displayName: "P" },
          templateId: template.id,
        })),
      );
      return (await count()) - before;
    };
    const count = async () =>
      (
        await sql<{ n: number }>(
          `SELECT count(*) AS n FROM (SELECT DISTINCT xmin FROM credentials WHERE org_id = $1) AS transactions`,
          [w.orgId],
        )
      )[0]!.n;
    // Each subtransaction has an id of its own, so a savepoint for each row would show here.
    expect([await subtransactions(5, "a"), await subtransactions(50, "b")]).toEqual([1, 1]);
  });

  it("allows a second live credential if the first is not exclusive", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const { credential } = await issueCredential(w.ctx, { subject: { externalId: "s" }, templateId: template.id });
    await sql(`UPDATE credentials SET exclusive = false WHERE org_id = $1 AND id = $2`, [w.orgId, credential.id]);
    expect(
      said(
        await issueAll(w, [
          { subject: { externalId: "s" }, templateId: template.id },
          { subject: { externalId: "s" }, templateId: template.id },
        ]),
      ),
    ).toEqual(["active", "credential_exists"]);
  });
});
