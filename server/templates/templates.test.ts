import { describe, expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { updateOrganisation } from "@/server/organisations/update";
import { auditOf } from "@/server/testing/audit";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { archiveTemplateVersion } from "./archive-version";
import { createTemplate } from "./create";
import { createTemplateVersion } from "./create-version";
import { getTemplate } from "./get";
import { listTemplateVersions } from "./list-versions";
import { listTemplates } from "./list";
import { publishTemplateVersion } from "./publish-version";
import { unarchiveTemplateVersion } from "./unarchive-version";
import { updateTemplate } from "./update";
import { updateTemplateVersion } from "./update-version";

const eventsAndAudit = async (w: World) => [
  (await eventsOf(w.orgId)).map((e) => e.type),
  (await auditOf(w.orgId)).slice(1),
];

describe("POST /v1/templates", () => {
  it("creates a template with a draft, and leaves an audit entry", async () => {
    const w = await world();
    const response = await call("POST", "/v1/templates", {
      token: await w.key(),
      body: { name: "Student ID", kind: "student_id" },
    });
    expect(response.status).toBe(201);
    expect(response.json()).toMatchObject({
      object: "template",
      name: "Student ID",
      kind: "student_id",
      slug: "student-id",
      status: "draft",
      currentVersion: null,
      version: {
        object: "template_version",
        version: 1,
        status: "draft",
        design: {},
        validity: { type: "none" },
        publishedAt: null,
      },
    });
    expect(await eventsAndAudit(w)).toEqual([[], ["api_key.created", "template.created"]]);
  });

  it("publishes the first version at once with publish", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    expect(template).toMatchObject({
      status: "published",
      currentVersion: 1,
      version: { status: "published", publishedAt: w.ctx.now.toISOString() },
    });
    const [event] = await eventsOf(w.orgId);
    expect(event).toMatchObject({
      type: "template.version.published",
      data: {
        object: { object: "template_version", templateId: template.id, version: 1, status: "published" },
        previous: { status: "draft" },
      },
    });
    expect(await eventsAndAudit(w)).toEqual([["template.version.published"], ["template.created"]]);
  });

  it("makes slugs from names, numbers taken ones, and refuses a sent slug that is taken", async () => {
    const w = await world();
    const slugOf = async (name: string, slug?: string) =>
      (await createTemplate(w.ctx, { name, kind: "membership", slug })).slug;
    expect(await slugOf("Müller & Söhne: Été!")).toBe("muller-sohne-ete");
    expect(await slugOf("Müller & Söhne: Été!")).toBe("muller-sohne-ete-2");
    await slugOf("Any", "muller-sohne-ete-40");
    await slugOf("Any", "muller-sohne-ete-9999999999");
    expect(await slugOf("Müller & Söhne: Été!")).toBe("muller-sohne-ete-41");
    expect((await Promise.all([1, 2, 3].map(() => slugOf("Müller Söhne Été")))).sort()).toEqual([
      "muller-sohne-ete-42",
      "muller-sohne-ete-43",
      "muller-sohne-ete-44",
    ]);
    expect(await slugOf("学生証")).toBe("template");
    expect(await slugOf("x".repeat(200))).toBe("x".repeat(52));
    await expect(slugOf("Any", "template")).rejects.toMatchObject({ code: "slug_taken" });
    expect(
      (await createTemplate((await world()).ctx, { name: "Any", kind: "membership", slug: "template" })).slug,
    ).toBe("template");
  });

  it("finds a free number if the highest possible ones are taken", async () => {
    const w = await world();
    const slugOf = async (slug?: string) =>
      (await createTemplate(w.ctx, { name: "Foo", kind: "membership", slug })).slug;
    for (const taken of ["foo", "foo-2", "foo-9999999", "foo-99999999"]) await slugOf(taken);
    expect([await slugOf(), await slugOf(), await slugOf()]).toEqual(["foo-100000000", "foo-10000000", "foo-10000001"]);
  });

  it.each([
    { kind: "passport" },
    { name: "" },
    { slug: "No Spaces" },
    { design: { colors: { background: "blue" } } },
    { validity: { type: "duration" } },
    { version: 2 },
  ])("refuses %j", async (wrong) => {
    const w = await world();
    const response = await call("POST", "/v1/templates", {
      token: await w.key(),
      body: { name: "Any", kind: "membership", ...wrong },
    });
    expect(response.status).toBe(400);
  });
});

describe("POST /v1/templates/{id}/versions with basedOn", () => {
  it("refuses a version that is based on any but the newest one", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const token = await w.key();
    const send = (body: object) => call("POST", `/v1/templates/${template.id}/versions`, { token, body });
    const [first, second] = await Promise.all([
      send({ basedOn: 1, publish: true }),
      send({ basedOn: 1, publish: true }),
    ]);
    expect([first.status, second.status].sort()).toEqual([201, 412]);
    const late = await send({ basedOn: 1 });
    expect(late.json()).toMatchObject({
      status: 412,
      code: "precondition_failed",
      detail: expect.stringContaining("Version 2 (published) is the newest, not version 1"),
    });
    expect((await listTemplateVersions(w.ctx, { id: template.id })).data.map((v) => v.version)).toEqual([2, 1]);
    expect((await send({ basedOn: 2 })).json()).toMatchObject({ version: 3, status: "draft" });
    expect((await send({})).json()).toMatchObject({ version: 4 });
  });
});

describe("a template", () => {
  it("gets a slug only once if several templates take it at once, and the others are refused", async () => {
    const w = await world();
    const made = await Promise.all(
      Array.from({ length: 8 }, () => createTemplate(w.ctx, { name: "Any", kind: "membership" })),
    );
    const taken = await Promise.allSettled(made.map(({ id }) => updateTemplate(w.ctx, { id, slug: "wanted" })));
    expect(taken.filter((t) => t.status === "fulfilled")).toHaveLength(1);
    for (const t of taken) if (t.status === "rejected") expect(t.reason).toMatchObject({ code: "slug_taken" });
  });

  it("is renamed with an audit entry, and without one if nothing changes", async () => {
    const w = await world();
    const [one, two] = [
      await publishedTemplate(w.ctx, { slug: "one" }),
      await publishedTemplate(w.ctx, { slug: "two" }),
    ];
    expect(await updateTemplate(w.ctx, { id: one.id, name: "Renamed" })).toMatchObject({
      name: "Renamed",
      slug: "one",
    });
    await updateTemplate(w.ctx, { id: one.id, name: "Renamed", slug: "one" });
    await expect(updateTemplate(w.ctx, { id: two.id, slug: "one" })).rejects.toMatchObject({ code: "slug_taken" });
    expect((await auditOf(w.orgId)).filter((action) => action === "template.updated")).toHaveLength(1);
  });

  it("is listed by status, kind and words", async () => {
    const w = await world();
    const draft = await createTemplate(w.ctx, { name: "Résumé of merits", kind: "academic" });
    const published = await publishedTemplate(w.ctx);
    const found = async (filter: Parameters<typeof listTemplates>[1]) =>
      (await listTemplates(w.ctx, filter)).data.map((t) => t.id);
    expect(await found({})).toEqual([published.id, draft.id]);
    expect(await found({ status: "draft" })).toEqual([draft.id]);
    expect(await found({ kind: "membership" })).toEqual([published.id]);
    expect(await found({ q: "RESUME" })).toEqual([draft.id]);
    expect(await found({ q: "%" })).toEqual([]);
    expect(await listTemplates(w.ctx, { limit: 1, offset: 1 })).toMatchObject({
      data: [{ id: draft.id }],
      total: 2,
      nextCursor: null,
    });
  });

  it("of another organisation is not found", async () => {
    const [w, other] = [await world(), await world()];
    const { id } = await publishedTemplate(w.ctx);
    const token = await other.key();
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["GET", "/versions"],
      ["POST", "/versions"],
      ["GET", "/versions/1"],
      ["PATCH", "/versions/1"],
      ["POST", "/versions/1/archive"],
    ] as const) {
      expect([
        path,
        (await call(method, `/v1/templates/${id}${path}`, { token, ...(method !== "GET" && { body: {} }) })).status,
      ]).toEqual([path, 404]);
    }
  });
});

describe("versions", () => {
  it("copy what is not sent from the newest version, and become current when published", async () => {
    const w = await world();
    const design = { colors: { accent: "#112233" } };
    const template = await publishedTemplate(w.ctx, { design });
    const second = await createTemplateVersion(w.ctx, {
      id: template.id,
      validity: { type: "duration", amount: 1, unit: "years" },
    });
    expect(second).toMatchObject({ version: 2, status: "draft", design, validity: { type: "duration" } });
    expect(await getTemplate(w.ctx, { id: template.id })).toMatchObject({ currentVersion: 1, version: { version: 1 } });
    await publishTemplateVersion(w.ctx, { id: template.id, version: 2 });
    expect(await getTemplate(w.ctx, { id: template.id })).toMatchObject({
      currentVersion: 2,
      version: { id: second.id, status: "published" },
    });
    const { data } = await listTemplateVersions(w.ctx, { id: template.id });
    expect(data.map((v) => [v.version, v.status, "design" in v])).toEqual([
      [2, "published", false],
      [1, "published", false],
    ]);
    expect((await issued(w.ctx, template.id)).templateVersionId).toBe(second.id);
  });

  it("cannot be published after the last day of their fixed expiry date in the organisation's time zone", async () => {
    const w = await world();
    await updateOrganisation(w.ctx, { timeZone: "Pacific/Pago_Pago" });
    const validity = { type: "fixed_date", date: "2026-11-21" } as const;
    // In that time zone, the day lasts until 11:00 UTC of the next day.
    const within = w.at("2026-11-22T10:59:59Z");
    const past = w.at("2026-11-22T11:00:00Z");
    const refused = {
      code: "expiry_out_of_range",
      message:
        "Version 1 makes credentials valid through 2026-11-21, which is past: none could be issued. Choose a later date before you publish it.",
    };
    await expect(
      createTemplate(past, { name: "P", kind: "membership", validity, publish: true }),
    ).rejects.toMatchObject(refused);
    const { id } = await createTemplate(past, { name: "P", kind: "membership", validity });
    await expect(publishTemplateVersion(past, { id, version: 1 })).rejects.toMatchObject(refused);
    await expect(createTemplateVersion(past, { id, publish: true })).rejects.toMatchObject({
      code: "expiry_out_of_range",
    });
    expect(await publishTemplateVersion(within, { id, version: 1 })).toMatchObject({ status: "published" });
  });

  it("can be changed as drafts only", async () => {
    const w = await world();
    const template = await createTemplate(w.ctx, { name: "Any", kind: "academic" });
    const path = { id: template.id, version: 1 };
    const design = { front: { fields: [{ key: "degree", binding: "attributes.degree" }] } };
    expect(await updateTemplateVersion(w.ctx, { ...path, design })).toMatchObject({
      design,
      validity: { type: "none" },
    });
    await publishTemplateVersion(w.ctx, path);
    await expect(updateTemplateVersion(w.ctx, { ...path, design: {} })).rejects.toMatchObject({
      code: "version_not_draft",
    });
    expect((await issued(w.ctx, template.id)).data).toEqual({
      subject: { displayName: "Ada Lovelace" },
      attributes: { degree: null },
    });
    expect((await eventsAndAudit(w))[1]).toEqual(["template.created", "template_version.updated"]);
  });

  it("are archived and unarchived, each with its event, and the template's status follows", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const path = { id: template.id, version: 1 };
    const shown = async () => {
      const { status, currentVersion } = await getTemplate(w.ctx, { id: template.id });
      return [status, currentVersion];
    };
    expect(await archiveTemplateVersion(w.ctx, path)).toMatchObject({
      status: "archived",
      archivedAt: w.ctx.now.toISOString(),
    });
    expect(await shown()).toEqual(["archived", null]);
    await archiveTemplateVersion(w.ctx, path);
    await expect(publishTemplateVersion(w.ctx, path)).rejects.toMatchObject({
      code: "version_state",
      extras: { members: { state: "archived", action: "publish" } },
    });
    expect(await unarchiveTemplateVersion(w.ctx, path)).toMatchObject({ status: "published", archivedAt: null });
    expect(await shown()).toEqual(["published", 1]);
    await unarchiveTemplateVersion(w.ctx, path);
    expect((await eventsOf(w.orgId)).map((e) => e.type)).toEqual([
      "template.version.published",
      "template.version.archived",
      "template.version.unarchived",
    ]);
  });

  it("become current when they are published again, but not by being unarchived while another is current", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    await createTemplateVersion(w.ctx, { id: template.id, publish: true });
    await archiveTemplateVersion(w.ctx, { id: template.id, version: 1 });
    expect(await getTemplate(w.ctx, { id: template.id })).toMatchObject({ status: "published", currentVersion: 2 });
    await unarchiveTemplateVersion(w.ctx, { id: template.id, version: 1 });
    expect(await getTemplate(w.ctx, { id: template.id })).toMatchObject({ currentVersion: 2 });
    await publishTemplateVersion(w.ctx, { id: template.id, version: 1 });
    expect(await getTemplate(w.ctx, { id: template.id })).toMatchObject({ currentVersion: 1 });
    const before = (await eventsOf(w.orgId)).length;
    await publishTemplateVersion(w.ctx, { id: template.id, version: 1 });
    expect(await eventsOf(w.orgId)).toHaveLength(before);
  });

  it("archived as drafts become drafts again when unarchived", async () => {
    const w = await world();
    const template = await createTemplate(w.ctx, { name: "Any", kind: "membership" });
    const path = { id: template.id, version: 1 };
    await expect(unarchiveTemplateVersion(w.ctx, path)).rejects.toMatchObject({ code: "version_state" });
    await archiveTemplateVersion(w.ctx, path);
    expect(await unarchiveTemplateVersion(w.ctx, path)).toMatchObject({ status: "draft", publishedAt: null });
    expect(await getTemplate(w.ctx, { id: template.id })).toMatchObject({ status: "draft", currentVersion: null });
  });

  it("get numbers without gaps from twenty requests at once", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx);
    const made = await Promise.all(Array.from({ length: 20 }, () => createTemplateVersion(w.ctx, { id: template.id })));
    expect(made.map((v) => v.version).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
  });

  it.each(["0", "2", "99999999999", "one", "-1"])("answers 404 or 400 for version %s", async (version) => {
    const w = await world();
    const { id } = await publishedTemplate(w.ctx);
    expect([400, 404]).toContain(
      (await call("GET", `/v1/templates/${id}/versions/${version}`, { token: await w.key() })).status,
    );
  });
});
