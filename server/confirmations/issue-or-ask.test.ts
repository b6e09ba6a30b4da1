import { beforeAll, describe, expect, it } from "vitest";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { auditOf } from "@/server/testing/audit";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { confirm, open, registry } from "./testing/registry";

beforeAll(ownDatabase);

describe("issuing from a template that asks for the name", () => {
  it("creates a request and no credential until the holder confirms", async () => {
    const r = await registry({ kind: "academic" });
    const asked = await r.ask({ data: { creditsEarned: 30 }, expiresAt: "2990-01-01T00:00:00Z" });
    const request = asked.json<ConfirmationView>();
    expect([asked.status, asked.headers.get("location"), request]).toMatchObject([
      202,
      `/v1/name_confirmations/${request.id}`,
      { object: "name_confirmation", state: "waiting", name: "Ada Lovelace", credentialId: null, mail: null },
    ]);
    expect(await r.credentials()).toEqual([]);
    expect(await sql(`SELECT 1 FROM status_entries WHERE org_id = $1`, [r.orgId])).toEqual([]);
    expect(await r.types()).toEqual(["name_confirmation.requested"]);
    const page = await open(request.link);
    expect(page.status).toBe(200);
    for (const said of ["Is this your name?", "Ada Lovelace", "Degree"]) expect(page.text).toContain(said);
    expect((await confirm(request.link)).status).toBe(303);
    const [credential] = await r.credentials();
    expect(credential).toMatchObject({
      state: "active",
      data: { creditsEarned: 30, subject: { displayName: "Ada Lovelace" } },
      expiresAt: "2990-01-01T00:00:00.000Z",
      source: request.source,
    });
    expect(await r.load(request.id)).toMatchObject({ state: "confirmed", credentialId: credential!.id, link: null });
    expect((await r.types()).slice(1)).toEqual([
      "credential.created",
      "credential.issued",
      "name_confirmation.confirmed",
    ]);
    expect(await auditOf(r.orgId)).toContain("name_confirmation.confirmed");
    expect((await confirm(request.link)).status).toBe(303);
    expect(await r.credentials()).toHaveLength(1);
    expect((await open(request.link)).text).toContain("Your name is confirmed");
  });

  it("answers a repeated request with the same confirmation request, and asks once", async () => {
    const r = await registry();
    const token = await r.key();
    const body = { subject: r.ada, templateId: r.templateId, ifExists: "return" };
    const twice = await Promise.all([
      call("POST", "/v1/credentials", { token, body, headers: { "idempotency-key": "one" } }),
      r.ask({ ifExists: "return" }),
    ]);
    expect(twice.map(({ status }) => status)).toEqual([202, 202]);
    const again = await call("POST", "/v1/credentials", { token, body, headers: { "idempotency-key": "one" } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await r.waiting()).toHaveLength(1);
  });

  it("lets ifExists decide if the person was asked already", async () => {
    const r = await registry();
    const first = (await r.ask()).json<ConfirmationView>();
    expect((await r.ask()).json()).toMatchObject({ code: "name_unconfirmed", nameConfirmationId: first.id });
    expect((await r.ask({ ifExists: "return" })).json()).toMatchObject({ id: first.id, link: first.link });
    const replaced = (await r.ask({ ifExists: "replace", metadata: { box: 2 } })).json<ConfirmationView>();
    expect(replaced.id).toBe(first.id);
    expect((await open(first.link)).status).toBe(404);
    await confirm(replaced.link);
    expect(await r.credentials()).toMatchObject([{ metadata: { box: 2 } }]);
    expect((await r.ask()).json()).toMatchObject({ code: "credential_exists" });
    expect((await r.ask({ ifExists: "return" })).status).toBe(200);
  });

  it("replaces a credential at the confirmation and not before", async () => {
    const r = await registry();
    const first = (await r.ask()).json<ConfirmationView>();
    await confirm(first.link);
    const [before] = await r.credentials();
    const second = (await r.ask({ ifExists: "replace" })).json<ConfirmationView>();
    expect(await r.credentials()).toMatchObject([{ id: before!.id, state: "active" }]);
    await confirm(second.link);
    expect(await r.credentials()).toMatchObject([{ supersedes: before!.id }, { id: before!.id, state: "revoked" }]);
  });

  it("creates several requests of a repeatable template", async () => {
    const r = await registry({ repeatable: true });
    const made = [(await r.ask()).json<ConfirmationView>(), (await r.ask()).json<ConfirmationView>()];
    for (const { link } of made) await confirm(link);
    expect(await r.credentials()).toHaveLength(2);
  });

  it("refuses a request that could not be issued, and asks nobody", async () => {
    const r = await registry();
    await r.request("POST", "/v1/credentials", { subject: { ...r.ada, status: "inactive" }, templateId: r.templateId });
    expect((await r.ask({ expiresAt: "2001-01-01T00:00:00Z" })).status).toBe(400);
    expect((await r.ask({}, { ...r.ada, status: "inactive" })).json()).toMatchObject({ code: "subject_inactive" });
    expect(await r.waiting()).toEqual([]);
  });

  it("tells each row of a bulk request, and of its job, who was asked", async () => {
    const r = await registry();
    const { id: plain } = (
      await r.request("POST", "/v1/templates", { name: "Card", kind: "membership", publish: true })
    ).json<{ id: string }>();
    const items = [
      { subject: r.ada, templateId: r.templateId },
      { subject: { externalId: "s-2", displayName: "Grace Hopper" }, templateId: r.templateId },
      { subject: { externalId: "s-3", displayName: "Alan Turing" }, templateId: plain },
      { subject: r.ada, templateId: r.templateId },
    ];
    const done = (await r.request("POST", "/v1/credentials/bulk", { action: "issue", items })).json<{
      data: object[];
    }>();
    expect(done.data).toMatchObject([
      { ok: true, changed: true, nameConfirmation: { name: "Ada Lovelace", email: r.ada.email } },
      { ok: true, changed: true, nameConfirmation: { name: "Grace Hopper", email: null } },
      { ok: true, credential: { state: "active" } },
      { ok: false, error: { code: "name_unconfirmed" } },
    ]);
    expect(await r.credentials()).toHaveLength(1);
    expect(await r.waiting()).toHaveLength(2);
  });
});
