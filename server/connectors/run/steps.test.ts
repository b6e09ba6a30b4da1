import { beforeAll, describe, expect, it, vi } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { flushSecurityEvents } from "@/server/access/security-events";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { pool } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { runChild } from "@/server/testing/child";
import { auditOf } from "@/server/testing/audit";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { untilWaitingForLock, waitingForLock } from "@/server/testing/waiting-for-lock";
import { Feed, fileOf, numbers } from "../testing/feed";
import { runConnectorStep } from "./step";
import { eventTypesOf, peopleOf } from "../testing/outcome";
import { untilPhase } from "../testing/until-phase";

beforeAll(ownDatabase);

describe("a run in steps", () => {
  it("stops if the key that uploaded the file is revoked, and the next file is applied", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const key = await createApiKey(w.ctx, { name: "Nightly", scopes: ["connectors:run"] });
    const { id } = await feed.queue(fileOf([1, 2]), {}, key.secret);
    await revokeApiKey(w.ctx, { id: key.id });
    await feed.work();
    expect(await feed.run(id)).toMatchObject({
      status: "failed",
      errorSummary: { code: "job_stopped", message: expect.stringMatching(/“Nightly” .*revoked/) },
    });
    await flushSecurityEvents();
    expect((await listSecurityEvents(w.ctx, { type: "job_stopped" })).data).toMatchObject([
      { target: { id: key.id }, address: "", detail: { job: id } },
    ]);
    expect(await peopleOf(w)).toEqual([]);
    expect(await feed.upload(fileOf([1]))).toMatchObject({ status: "succeeded" });
  });

  it("stops if the access token that uploaded the file is revoked, even after the token expired", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const { clientId, clientSecret } = await createOAuthClient(w.ctx, { name: "Registry", scopes: ["connectors:run"] });
    const form = (path: string, fields: Record<string, string>) =>
      call("POST", path, {
        raw: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    const tokenOf = async () =>
      (await form("/oauth/token", { grant_type: "client_credentials" })).json<{ access_token: string }>().access_token;
    const token = await tokenOf();
    const { id } = await feed.queue(fileOf([1, 2]), {}, token);
    expect((await form("/oauth/revoke", { token })).status).toBe(200);
    await sql(`UPDATE access_tokens SET expires_at = created_at WHERE org_id = $1`, [w.orgId]);
    await tokenOf();
    await feed.work();
    expect(await feed.run(id)).toMatchObject({
      status: "failed",
      errorSummary: { code: "job_stopped", message: expect.stringContaining("access token") },
      counts: { created: 0 },
    });
    expect((await auditOf(w.orgId)).at(-1)).toBe("connector_run.stopped");
  });

  it("waits for earlier runs of its connector, even with several workers", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const ids: string[] = [];
    for (const n of numbers(1, 6)) ids.push((await feed.queue(fileOf([1]).replace("Person 1", `Name ${n}`))).id);
    await Promise.all([1, 2, 3, 4].map(() => feed.work()));
    await feed.work();
    for (const id of ids) expect(await feed.run(id)).toMatchObject({ status: "succeeded" });
    expect(await peopleOf(w)).toMatchObject([{ displayName: "Name 6" }]);
  });

  it("continues after its worker is killed in the middle of a batch, and applies no row twice", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const { id } = await feed.queue(fileOf(numbers(1, 2100)));
    // Three steps: staging, planning and the first two thousand rows.
    for (let step = 0; step < 3; step++) await runConnectorStep(new Date());
    const holder = await pool().connect();
    await holder.query("BEGIN");
    // Not committed, so that the worker blocks in the middle of its batch.
    await holder.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'p-999')`, [
      w.orgId,
      newId("sub"),
    ]);
    const child = await runChild("server/connectors/testing/worker.child.ts");
    expect(await child.line()).toBe("working");
    await untilWaitingForLock(1);
    await child.kill();
    await holder.query("ROLLBACK");
    holder.release();
    expect(await feed.run(id)).toMatchObject({ status: "running" });
    await vi.waitUntil(
      async () => {
        await feed.work();
        return (await feed.run(id)).status !== "running";
      },
      { timeout: 20_000 },
    );
    expect(await feed.run(id)).toMatchObject({
      status: "succeeded",
      counts: { rows: 2100, created: 2100, unchanged: 0 },
    });
    expect((await eventTypesOf(w)).length).toBe(2100);
  });

  it("does not apply the last row of a file that may be cut off, however often it is sent, until it is complete", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf([1, 2, 3]));
    const whole = fileOf([1, 2, 3]).replace("p3@", "new@");
    // Cut within the last value, and within the e-mail address.
    const cut = whole.slice(0, -4);
    const shorter = whole.slice(0, whole.indexOf("new@") + 7);
    for (const name of ["Renamed", "Again"]) {
      const file = cut.replace("Person 1", name);
      const told = await call("POST", "/v1/connectors/preview", {
        token: feed.token,
        body: { connectorId: feed.id, content: file },
      });
      expect(told.json()["counts"]).toMatchObject({ updated: 1, unchanged: 1, rejected: 1 });
      const run = await feed.upload(file);
      expect(run).toMatchObject({ status: "succeeded", counts: { rows: 3, updated: 1, unchanged: 1, rejected: 1 } });
      expect(await feed.errors(run.id)).toMatchObject([{ line: 4, code: "cut_off" }]);
      expect(await peopleOf(w)).toMatchObject([{ displayName: name }, {}, { email: "p3@example.edu" }]);
    }
    expect(await feed.upload(shorter)).toMatchObject({ counts: { rejected: 1 } });
    expect(await feed.upload(whole)).toMatchObject({ counts: { rejected: 0, updated: 1 } });
    expect(await peopleOf(w, { externalId: "p-3" })).toMatchObject([{ email: "new@example.edu" }]);
  });

  it("applies the last row of a source whose files never end with a line end", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf([1, 2]).trimEnd());
    expect(await feed.upload(fileOf([1, 2, 3]).trimEnd())).toMatchObject({ counts: { created: 1, rejected: 0 } });
  });

  it("deactivates nobody if such a source loses the last byte of its last id, and says so in the preview", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } });
    const file = (people: number[]) => ["name,id", ...people.map((n) => `Person ${n},p-${n}`)].join("\n");
    await feed.upload(file([1, 2, 10]));
    const cut = file([1, 2, 10]).slice(0, -1);
    const told = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      body: { connectorId: feed.id, content: cut },
    });
    expect(told.json()).toMatchObject({ hold: { reason: "cut_off" }, counts: { unchanged: 2, rejected: 1, held: 1 } });
    for (const sent of [cut, cut.replace("Person 2", "Renamed")]) {
      const run = await feed.upload(sent);
      expect(run).toMatchObject({ status: "held", hold: { reason: "cut_off" }, counts: { rejected: 1, held: 1 } });
      // The rest of the id, p-1, is the id of the first row.
      expect(await feed.errors(run.id)).toMatchObject([
        { line: 4, code: "duplicate_external_id" },
        { line: 4, code: "cut_off" },
      ]);
    }
    expect((await peopleOf(w)).map(({ status }) => status)).toEqual(["active", "active", "active"]);
    // A person who leaves is deactivated as before.
    expect(await feed.upload(file([1, 10]))).toMatchObject({ status: "succeeded", counts: { deactivated: 1 } });
  });

  it("does not apply the last row of a file that may be cut off if it is the first row of a step", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf([1]));
    const run = await feed.upload(fileOf(numbers(1, 1001)).trimEnd());
    expect(run.counts).toMatchObject({ rows: 1001, created: 999, unchanged: 1, rejected: 1 });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 1002, code: "cut_off" }]);
  });

  it("ends when its connector is deleted, even while a newer run waits for the lock of an older, held run", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const held = await feed.upload(fileOf([1]));
    expect(held.status).toBe("held");
    const newer = await feed.queue(fileOf([1, 2]));
    await untilPhase("planning", w);
    const blocker = await pool().connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM connector_runs WHERE org_id = $1 AND status = 'held' FOR UPDATE`, [w.orgId]);
    const deleting = feed.delete();
    await untilWaitingForLock(1, "connector_runs");
    let stepped = false;
    const step = runConnectorStep(new Date()).finally(() => (stepped = true));
    await vi.waitUntil(async () => stepped || (await waitingForLock("connector_runs")).length >= 2, {
      timeout: 20_000,
      interval: 20,
    });
    await blocker.query("ROLLBACK");
    blocker.release();
    expect((await deleting).status).toBe(204);
    await step;
    expect(
      await sql(`SELECT status FROM connector_runs WHERE org_id = $1 AND status <> 'succeeded'`, [w.orgId]),
    ).toEqual([{ status: "cancelled" }, { status: "cancelled" }]);
    expect(newer.status).toBe("queued");
  });

  it("ends when its connector is deleted, even while it is about to record its people as provided", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.queue(fileOf([1]));
    await untilPhase("applying", w);
    const blocker = await pool().connect();
    await blocker.query("BEGIN");
    await blocker.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'p-1')`, [
      w.orgId,
      newId("sub"),
    ]);
    const step = runConnectorStep(new Date());
    await untilWaitingForLock(1, "subjects");
    const deleting = feed.delete();
    await untilWaitingForLock(1, "connector_runs");
    await blocker.query("ROLLBACK");
    blocker.release();
    await step;
    expect((await deleting).status).toBe(204);
    expect(await peopleOf(w)).toMatchObject([{ externalId: "p-1" }]);
  });

  it("stops when it is cancelled, keeps the applied changes, and deletes its staged rows", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const { id } = await feed.queue(fileOf(numbers(1, 2100)));
    for (let step = 0; step < 3; step++) await runConnectorStep(new Date());
    expect((await feed.post(`/runs/${id}/cancel`)).json()).toMatchObject({ status: "cancelled" });
    await feed.work();
    expect(await feed.run(id)).toMatchObject({ status: "cancelled", counts: { rows: 2100, created: 2000 } });
    expect(await sql(`SELECT key FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
    const again = await feed.post(`/runs/${id}/cancel`);
    expect([again.status, again.json()]).toEqual([200, expect.objectContaining({ status: "cancelled" })]);
  });

  it.each(["p-1", "corrected"])(
    "deletes the staged rows of a person who is erased meanwhile under the id %s",
    async (now) => {
      const w = await world();
      const feed = await Feed.open(w);
      await feed.upload(fileOf([1, 2]));
      const [first] = await peopleOf(w);
      await call("PATCH", `/v1/subjects/${first!.id}`, { token: feed.token, body: { externalId: now } });
      const { id } = await feed.queue(`${fileOf([1, 2]).replace("Person 1,", "Renamed,")}\n`);
      await runConnectorStep(new Date());
      await call("POST", `/v1/subjects/${first!.id}/erase`, { token: feed.token, body: { reason: "r" } });
      expect(await sql(`SELECT key FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([{ key: "p-2" }]);
      await feed.work();
      expect(await feed.run(id)).toMatchObject({ status: "succeeded", counts: { unchanged: 1, updated: 0 } });
    },
  );
});
