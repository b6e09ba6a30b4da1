import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createApiKey } from "@/server/access/create-api-key";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { standingOf } from "@/server/access/standing";
import { DomainError } from "@/server/core/errors";
import { command } from "@/server/core/operation";
import { revokeCredential } from "@/server/credentials/revoke";
import { createTemplate } from "@/server/templates/create";
import { publishTemplateVersion } from "@/server/templates/publish-version";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { idempotent } from "./idempotency";
import { route } from "./route";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";

// POST /v1/templates is the simplest POST.
const template = (name: string) => ({ name, kind: "membership" });

describe("Idempotency-Key", () => {
  it("repeats the stored response byte for byte and does the work once", async () => {
    const { key, orgId } = await world();
    const token = await key();
    const headers = { "idempotency-key": "issue-1" };
    const first = await call("POST", "/v1/templates", { token, headers, body: template("Members") });
    const again = await call("POST", "/v1/templates", { token, headers, body: template("Members") });
    expect(first.status).toBe(201);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([201, first.text, "true"]);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(await sql(`SELECT id FROM templates WHERE org_id = $1`, [orgId])).toHaveLength(1);
  });

  it("treats the quoted form as the same key, and another order of JSON members as the same request", async () => {
    const { key } = await world();
    const token = await key();
    const first = await call("POST", "/v1/templates", {
      token,
      headers: { "idempotency-key": "k" },
      raw: '{"name":"A","kind":"membership"}',
    });
    const again = await call("POST", "/v1/templates", {
      token,
      headers: { "idempotency-key": '"k"' },
      raw: '{ "kind":"membership", "name":"A"}',
    });
    expect([again.status, again.text]).toEqual([201, first.text]);
  });

  it("refuses the same key for a different request with 422 and keeps the first response", async () => {
    const { key } = await world();
    const token = await key();
    const headers = { "idempotency-key": "k" };
    const first = await call("POST", "/v1/templates", { token, headers, body: template("A") });
    const other = await call("POST", "/v1/templates", { token, headers, body: template("B") });
    expect([other.status, other.json().code]).toEqual([422, "idempotency_key_reused"]);
    expect((await call("POST", "/v1/templates", { token, headers, body: template("A") })).text).toBe(first.text);
  });

  it("is scoped to the organisation", async () => {
    const [one, two] = [await world(), await world()];
    const headers = { "idempotency-key": "k" };
    await call("POST", "/v1/templates", { token: await one.key(), headers, body: template("A") });
    expect((await call("POST", "/v1/templates", { token: await two.key(), headers, body: template("B") })).status).toBe(
      201,
    );
  });

  it("lets one of ten concurrent requests do the work; the others repeat its response or get 409", async () => {
    const { key, orgId } = await world();
    const token = await key();
    const tries = await Promise.all(
      Array.from({ length: 10 }, () =>
        call("POST", "/v1/templates", { token, headers: { "idempotency-key": "k" }, body: template("A") }),
      ),
    );
    for (const { status, json, headers } of tries) {
      if (status === 409) expect([json().code, headers.get("retry-after")]).toEqual(["idempotency_in_progress", "1"]);
      else expect(status).toBe(201);
    }
    expect(tries.filter((t) => t.status === 201 && t.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await sql(`SELECT id FROM templates WHERE org_id = $1`, [orgId])).toHaveLength(1);
  });

  it("answers 409 while the first is still running", async () => {
    const { ctx } = await world();
    const request = { key: "slow", fingerprint: "f" };
    const refuse = () => ({ status: 410, body: "", headers: {} });
    await idempotent(
      ctx,
      request,
      async () => {
        await expect(
          idempotent(ctx, request, async () => ({ status: 200, body: "", headers: {} }), refuse),
        ).rejects.toMatchObject({ code: "idempotency_in_progress" });
        return { status: 200, body: "first", headers: {} };
      },
      refuse,
    );
    await expect(
      idempotent(ctx, request, async () => ({ status: 200, body: "again", headers: {} }), refuse),
    ).resolves.toMatchObject({ body: "first", replayed: true });
  });

  it("is evaluated anew after a refusal: once the template is published, the repeat issues the credential", async () => {
    const { ctx, key } = await world();
    const token = await key();
    const template = await createTemplate(ctx, { name: "Members", kind: "membership" });
    const issue = () =>
      call("POST", "/v1/credentials", {
        token,
        headers: { "idempotency-key": "enrol-1" },
        body: { subject: { externalId: "s-1" }, templateId: template.id },
      });
    const early = await issue();
    expect([early.status, early.json().code]).toEqual([409, "template_not_published"]);
    await publishTemplateVersion(ctx, { id: template.id, version: 1 });
    const [made, repeated] = [await issue(), await issue()];
    expect([made.status, made.headers.get("idempotent-replayed"), repeated.status, repeated.text]).toEqual([
      201,
      null,
      201,
      made.text,
    ]);
  });

  it.each([400, 404])("does not store a %i", async (status) => {
    const { key } = await world();
    const token = await key();
    const headers = { "idempotency-key": "k" };
    const refused =
      status === 400 ? { subject: {}, templateId: "" } : { subject: { id: "sub_unknown" }, templateId: "tpl_unknown" };
    expect((await call("POST", "/v1/credentials", { token, headers, body: refused })).status).toBe(status);
    expect((await call("POST", "/v1/templates", { token, headers, body: template("A") })).status).toBe(201);
  });

  it("stores a 410 and undoes what the request had written", async () => {
    const { ctx, orgId } = await world();
    const attempt = () =>
      idempotent(
        ctx,
        { key: "k", fingerprint: "f" },
        async (inside) => {
          await createTemplate(inside, { name: "Lost", kind: "membership" });
          throw new DomainError("event_expired", "It is gone.");
        },
        (error) => ({ status: error.status, body: error.message, headers: {} }),
      );
    expect(await attempt()).toMatchObject({ status: 410, body: "It is gone.", replayed: false });
    expect(await attempt()).toMatchObject({ status: 410, body: "It is gone.", replayed: true });
    expect(await sql(`SELECT 1 FROM templates WHERE org_id = $1`, [orgId])).toEqual([]);
  });

  it("is ignored by verification: after a revocation the same key gets the new decision", async () => {
    const { ctx, key } = await world();
    const token = await key();
    const credential = await issued(ctx, (await publishedTemplate(ctx)).id);
    const verify = () =>
      call("POST", "/v1/verify", { token, headers: { "idempotency-key": "gate-1" }, body: { code: credential.code } });
    expect((await verify()).json()["result"]).toBe("valid");
    await revokeCredential(ctx, { id: credential.id, reason: "Left" });
    const again = await verify();
    expect([again.status, again.json()["result"], again.headers.get("idempotent-replayed")]).toEqual([
      200,
      "invalid",
      null,
    ]);
  });

  it("expires after 24 hours", async () => {
    const { key, orgId } = await world();
    const token = await key();
    await call("POST", "/v1/templates", { token, headers: { "idempotency-key": "k" }, body: template("A") });
    const [kept] = await sql<{ left: number }>(
      `SELECT extract(epoch FROM expires_at - now())::float8 / 3600 AS left FROM idempotency_records WHERE org_id = $1`,
      [orgId],
    );
    expect(kept!.left).toBeCloseTo(24, 1);
    await sql(`UPDATE idempotency_records SET expires_at = now() - interval '1 second' WHERE org_id = $1`, [orgId]);
    expect(
      (await call("POST", "/v1/templates", { token, headers: { "idempotency-key": "k" }, body: template("B") })).status,
    ).toBe(201);
  });

  it("stores responses encrypted", async () => {
    const { key, orgId } = await world();
    await call("POST", "/v1/templates", {
      token: await key(),
      headers: { "idempotency-key": "k" },
      body: template("Plaintext"),
    });
    const [row] = await sql<{ answer: Buffer }>(`SELECT answer FROM idempotency_records WHERE org_id = $1`, [orgId]);
    expect(row!.answer.includes("Plaintext")).toBe(false);
  });

  it.each(["", "x".repeat(256), "schlüssel"])("refuses the key %j", async (bad) => {
    const { key } = await world();
    const sent = Buffer.from(bad).toString("latin1");
    const answer = await call("POST", "/v1/templates", {
      token: await key(),
      headers: { "idempotency-key": sent },
      body: template("A"),
    });
    expect([answer.status, answer.json().code]).toEqual([400, "invalid_idempotency_key"]);
  });
});

it("prepares slow work before its transaction begins, and repeats the stored response even if preparing again fails", async () => {
  const { key } = await world();
  const token = await key();
  const seen: string[] = [];
  const operation = command({
    name: "test.prepare",
    scope: "subjects:write",
    input: z.strictObject({}),
    standing: standingOf,
    async prepare(ctx) {
      seen.push(ctx.tx ? "prepared within" : "prepared before");
      if (seen.length > 2) throw new DomainError("not_found", "Gone meanwhile.");
      return "made";
    },
    async run(ctx, _, prepared) {
      seen.push(`${prepared}, ${ctx.metDemands?.length} scope asked`);
      return {};
    },
  });
  const handler = route({ operation, summary: "Prepares", response: z.object({}) });
  const send = async () =>
    handler(
      new Request("http://localhost/v1/test", {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "idempotency-key": "k" },
      }),
    );
  expect((await send()).status).toBe(200);
  expect((await send()).headers.get("idempotent-replayed")).toBe("true");
  expect((await send()).headers.get("idempotent-replayed")).toBe("true");
  expect(seen).toEqual(["prepared before", "made, 1 scope asked", "prepared before", "prepared before"]);
});

it("has no effect if the key was revoked during preparation, with an Idempotency-Key or without", async () => {
  const { ctx } = await world();
  for (const headers of [{}, { "idempotency-key": "k" }] as Record<string, string>[]) {
    const key = await createApiKey(ctx, { name: "short-lived" });
    let ran = false;
    const operation = command({
      name: "test.prepare_revoked",
      scope: "subjects:write",
      input: z.strictObject({}),
      standing: standingOf,
      prepare: () => revokeApiKey(ctx, { id: key.id }),
      async run() {
        ran = true;
        return {};
      },
    });
    const handler = route({ operation, summary: "Prepares", response: z.object({}) });
    const answer = await handler(
      new Request("http://localhost/v1/test", {
        method: "POST",
        headers: { authorization: `Bearer ${key.secret}`, ...headers },
      }),
    );
    expect([answer.status, ran]).toEqual([401, false]);
  }
});
