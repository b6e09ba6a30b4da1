import { describe, expect, it } from "vitest";
import { listSubjects } from "@/server/subjects/list";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import { getCredential } from "./get";

const typesOf = async (w: World) =>
  (await eventsOf(w.orgId)).map((e) => e.type).filter((t) => t.startsWith("credential."));

async function some(n: number) {
  const w = await world();
  const template = await publishedTemplate(w.ctx);
  const credentials = [];
  for (let i = 0; i < n; i++) credentials.push(await issued(w.ctx, template.id));
  return { w, template, credentials, ids: credentials.map((c) => c.id) };
}

describe("POST /v1/credentials/bulk", () => {
  it("issues, suspends, resumes and revokes, with one result a row in the order of the request", async () => {
    const w = await world();
    const token = await w.key();
    const template = await publishedTemplate(w.ctx);
    const bulk = async (action: string, items: object[]) => {
      const response = await call("POST", "/v1/credentials/bulk", { token, body: { action, items } });
      expect(response.status).toBe(200);
      return response.json<{
        data: { index: number; ok: boolean; credential: { id: string; state: string; source: object } }[];
        succeeded: number;
        failed: number;
      }>();
    };
    const people = ["c", "a", "b"];
    const made = await bulk(
      "issue",
      people.map((externalId) => ({ subject: { externalId, displayName: externalId }, templateId: template.id })),
    );
    expect(made).toMatchObject({ succeeded: 3, failed: 0 });
    expect(made.data.map((row) => [row.index, row.ok, row.credential.state])).toEqual([
      [0, true, "active"],
      [1, true, "active"],
      [2, true, "active"],
    ]);
    expect(made.data[0]!.credential.source).toEqual({ type: "bulk", id: null });
    const ids = made.data.map((row) => row.credential.id);
    for (const [action, state] of [
      ["suspend", "suspended"],
      ["resume", "active"],
      ["revoke", "revoked"],
    ] as const) {
      const { data } = await bulk(
        action,
        ids.map((id) => ({ id, ...(action === "revoke" && { reason: "Left" }) })),
      );
      expect(data.map((row) => [row.credential.id, row.credential.state])).toEqual(ids.map((id) => [id, state]));
    }
    expect((await typesOf(w)).toSorted()).toEqual(
      ["created", "issued", "suspended", "resumed", "revoked"]
        .flatMap((step) => people.map(() => `credential.${step}`))
        .toSorted(),
    );
  });

  it("discards a bad row completely and keeps all good rows", async () => {
    const { w, template, ids } = await some(3);
    const other = await some(1);
    const before = (await typesOf(w)).length;
    const { result } = await bulkCredentials(w.ctx, {
      action: "revoke",
      items: [
        { id: ids[0], reason: "Left" },
        { id: ids[1] },
        "nonsense",
        null,
        { id: other.ids[0], reason: "Left" },
        { id: "crd_none", reason: "Left" },
        { id: ids[2], reason: "Left", colour: "blue" },
        { id: ids[2], reason: "Left" },
      ],
    });
    expect([result!.succeeded, result!.failed]).toEqual([2, 6]);
    expect(result!.data.map((row) => (row.ok ? "ok" : row.error.code))).toEqual([
      "ok",
      "invalid_request",
      "invalid_request",
      "invalid_request",
      "not_found",
      "not_found",
      "invalid_request",
      "ok",
    ]);
    expect(result!.data[1]).toMatchObject({ error: { status: 400, errors: [{ pointer: "/reason" }] } });
    expect((await typesOf(w)).slice(before)).toEqual(["credential.revoked", "credential.revoked"]);
    expect(await getCredential(w.ctx, { id: ids[1]! })).toMatchObject({ state: "active" });
    const late = {
      subject: { externalId: "written before the refusal" },
      templateId: template.id,
      expiresAt: "2020-01-01T00:00:00Z",
    };
    expect((await bulkCredentials(w.ctx, { action: "issue", items: [late] })).result).toMatchObject({ failed: 1 });
    expect((await listSubjects(w.ctx, { externalId: late.subject.externalId })).data).toEqual([]);
  });

  it("processes the rows of one credential in their order", async () => {
    const { w, template } = await some(0);
    const item = { subject: { externalId: "s" }, templateId: template.id };
    const { result } = await bulkCredentials(w.ctx, {
      action: "issue",
      items: [item, item, { ...item, ifExists: "return" }, { ...item, ifExists: "replace" }],
    });
    expect(result!.data.map((row) => (row.ok ? "ok" : row.error.code))).toEqual([
      "ok",
      "credential_exists",
      "ok",
      "ok",
    ]);
  });

  it("distinguishes rows that needed no change from rows that changed something", async () => {
    const { w, template, ids } = await some(2);
    const changed = async (input: Parameters<typeof bulkCredentials>[1]) =>
      (await bulkCredentials(w.ctx, input)).result!.data.map((row) => (row.ok ? row.changed : row.error.code));
    const revoke = ids.map((id) => ({ id, reason: "Left" }));
    expect(await changed({ action: "suspend", items: [{ id: ids[0] }, { id: ids[0] }] })).toEqual([true, false]);
    expect(await changed({ action: "revoke", items: [revoke[0]!, revoke[0]!] })).toEqual([true, false]);
    expect(await changed({ action: "revoke", items: revoke })).toEqual([false, true]);
    const items = [
      { subject: { externalId: "s" }, templateId: template.id },
      { subject: { externalId: "s" }, templateId: template.id, ifExists: "return" },
    ];
    expect(await changed({ action: "issue", items })).toEqual([true, false]);
    const [issued] = (await bulkCredentials(w.ctx, { action: "issue", items: [items[1]!] })).result!.data;
    const update = { id: issued!.ok ? issued!.credential!.id : "", metadata: { box: 1 } };
    expect(await changed({ action: "update", items: [update, update] })).toEqual([true, false]);
  });

  it("requires the scope of the action", async () => {
    const { w, ids } = await some(1);
    for (const [action, scope] of [
      ["issue", "credentials:issue"],
      ["suspend", "credentials:suspend"],
      ["resume", "credentials:suspend"],
      ["revoke", "credentials:revoke"],
    ] as const) {
      const rest = (
        [
          "credentials:issue",
          "credentials:suspend",
          "credentials:revoke",
          "credentials:revoke_template",
          "credentials:read",
        ] as const
      ).filter((s) => s !== scope);
      await expect(bulkCredentials(w.as(...rest), { action, items: [{ id: ids[0] }] })).rejects.toMatchObject({
        code: "insufficient_scope",
        extras: { members: { scope } },
      });
    }
  });

  it.each([
    { action: "delete", items: [{}] },
    { action: "revoke", items: [] },
    { action: "revoke", items: Array.from({ length: 10_001 }, () => ({})) },
    { action: "revoke" },
    { action: "revoke", items: [{}], all: true },
  ])("refuses a malformed request as a whole", async (body) => {
    const { key } = await world();
    expect((await call("POST", "/v1/credentials/bulk", { token: await key(), body })).status).toBe(400);
  });

  it("takes bodies of up to 10 MiB", async () => {
    const { key } = await world();
    const token = await key();
    const body = (bytes: number) => ({ action: "suspend", items: [{ id: "x".repeat(bytes) }] });
    expect((await call("POST", "/v1/credentials/bulk", { token, body: body(9 * 1024 * 1024) })).status).toBe(200);
    expect((await call("POST", "/v1/credentials/bulk", { token, body: body(10 * 1024 * 1024) })).status).toBe(413);
  });

  it("does not deadlock when many requests name the same people in opposite order", async () => {
    const { w, template } = await some(0);
    const items = Array.from({ length: 40 }, (_, i) => ({
      subject: { externalId: `p-${i}` },
      templateId: template.id,
      ifExists: "return",
    }));
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        bulkCredentials(w.ctx, { action: "issue", items: n % 2 ? items.toReversed() : items }),
      ),
    );
    expect(all.map(({ result }) => result!.failed)).toEqual(all.map(() => 0));
    expect((await typesOf(w)).filter((t) => t === "credential.created")).toHaveLength(40);
  });
});
