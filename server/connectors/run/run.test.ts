import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { actorNames } from "@/server/access/actor-names";
import { createApiKey } from "@/server/access/create-api-key";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { flushSecurityEvents } from "@/server/access/security-events";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { pool } from "@/server/core/db";
import { newId } from "@/server/core/ids";
import { listSubjects } from "@/server/subjects/list";
import { runChild } from "@/server/testing/child";
import { auditOf } from "@/server/testing/audit";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { listFailingConnectors } from "../list-failing";
import { listHeldRuns } from "../list-held-runs";
import { Feed, fileOf, mapping, numbers } from "../testing/feed";
import { runConnectorStep } from "./step";

beforeAll(ownDatabase);

const people = async ({ ctx }: World, filter: object = {}) =>
  (await listSubjects(ctx, { sort: "externalId", limit: 100, ...filter })).data;
const typesOf = async ({ orgId }: World) => (await eventsOf(orgId)).map(({ type }) => type);
const none = { rows: 0, created: 0, updated: 0, unchanged: 0, deactivated: 0, rejected: 0, held: 0 };

describe("a run of a connector", () => {
  it("is the actor of what it and its undo change, and is named by its connector, deleted too", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate", mapping: { ...mapping, groups: ["dept"] } });
    const first = await feed.upload(fileOf([1, 2]));
    const second = await feed.upload(fileOf([1]));
    const approver = await w.key("connectors:read", "connectors:approve");
    const undo = (await feed.post(`/runs/${second.id}/undo`, {}, approver)).json<{ id: string }>();
    await feed.work();
    const told = (await eventsOf(w.orgId)).map(({ actor }) => actor.id);
    expect(new Set(told)).toEqual(new Set([first.id, second.id, undo.id]));
    const named = { name: "Registry", policyId: null, connectorId: feed.id };
    const ofRun = { ...named, id: first.id, askedAt: first.createdAt, isDeleted: false };
    expect(await actorNames(w.ctx, { ids: [first.id] })).toEqual([ofRun]);
    expect(await actorNames(w.ctx, { ids: [feed.id] })).toEqual([{ ...ofRun, id: feed.id, askedAt: null }]);
    const blind = { ...w.ctx, scopes: new Set([...w.ctx.scopes].filter((scope) => scope !== "connectors:read")) };
    expect(await actorNames(blind, { ids: [first.id, feed.id] })).toEqual([]);
    expect(await actorNames((await world()).ctx, { ids: [first.id, feed.id] })).toEqual([]);
    await feed.delete();
    expect(await actorNames(w.ctx, { ids: [first.id] })).toEqual([{ ...ofRun, isDeleted: true }]);
  });

  it("creates and updates people like PUT /v1/subjects, with the same events", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await call("PUT", "/v1/subjects", {
      token: feed.token,
      body: { externalId: "p-2", displayName: "Old", attributes: { kept: 1, department: "Law" } },
    });
    const file = 'id,name,mail,status,dept\np-1,"Lovelace, Ada",ada@example.edu,active,Maths\np-2,Charles,,,\n';
    const run = await feed.upload(file);
    expect(run).toMatchObject({
      status: "succeeded",
      counts: { ...none, rows: 2, created: 1, updated: 1 },
      hold: null,
    });
    expect(await people(w)).toMatchObject([
      {
        externalId: "p-1",
        displayName: "Lovelace, Ada",
        email: "ada@example.edu",
        attributes: { department: "Maths" },
      },
      { externalId: "p-2", displayName: "Charles", email: null, status: "active", attributes: { kept: 1 } },
    ]);
    expect(await typesOf(w)).toEqual(["subject.created", "subject.created", "subject.updated"]);
    const [own] = await people(w, { externalId: "p-1" });
    expect(own!.sources).toMatchObject([{ type: "connector", id: feed.id, missingSince: null }]);
    const other = await feed.upload(`${file}\n\n`);
    expect(other).toMatchObject({ status: "succeeded", identical: false, counts: { ...none, rows: 2, unchanged: 2 } });
    expect((await typesOf(w)).length).toBe(3);
  });

  it("recognises the file of the last run, but only with the same mapping", async () => {
    const feed = await Feed.open(await world());
    await feed.upload(fileOf([1, 2]));
    const again = await feed.upload(fileOf([1, 2]));
    expect(again).toMatchObject({ identical: true, counts: { rows: 2, unchanged: 2 } });
    // The people of the file were recorded as seen again, although nothing was written.
    const { lastFullRunAt } = (await feed.get("")).json<{ lastFullRunAt: string }>();
    expect(lastFullRunAt >= again.startedAt!).toBe(true);
    await call("PATCH", `/v1/connectors/${feed.id}`, {
      token: feed.token,
      body: { mapping: { externalId: "id", displayName: "mail" } },
    });
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({ identical: false, counts: { updated: 2 } });
    await feed.upload(fileOf([3]));
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({ identical: false });
    // A cancelled run may have changed people already, so its file must be applied again.
    const { id } = await feed.queue(fileOf([1]));
    await runConnectorStep(new Date());
    await feed.post(`/runs/${id}/cancel`);
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({ identical: false });
  });

  it("can end a step between blank lines, and does not count these as rows", async () => {
    const feed = await Feed.open(await world());
    const { id } = await feed.queue(`id,name,mail,status,dept\np-1,One,,,\n${" , \n".repeat(60_000)}p-2,Two,,,\n`);
    await runConnectorStep(new Date());
    expect(await feed.run(id)).toMatchObject({ status: "running", counts: { rows: 1 } });
    await feed.work();
    expect(await feed.run(id)).toMatchObject({ status: "succeeded", counts: { ...none, rows: 2, created: 2 } });
  });

  it("retries a failing step at growing intervals, does not block other runs, and fails in the end", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const { id } = await feed.queue(fileOf([1]));
    await sql(`UPDATE connector_runs SET config = config - 'settings' WHERE org_id = $1`, [w.orgId]);
    const other = await Feed.open(await world());
    const untouched = await other.queue(fileOf([1]));
    let now = Date.now();
    let failures = 0;
    const workOff = async () => {
      for (let more = true; more; )
        more = await runConnectorStep(new Date(now)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(TypeError);
          failures++;
          return true;
        });
    };
    await workOff();
    // The first retry is at once, the second one only later.
    expect(failures).toBe(2);
    expect(await feed.run(id)).toMatchObject({ status: "queued", attempts: 2 });
    expect(await other.run(untouched.id)).toMatchObject({ status: "succeeded" });
    for (const _ of numbers(1, 9)) {
      now += 300_000;
      await workOff();
    }
    expect(failures).toBe(10);
    expect(await feed.run(id)).toMatchObject({
      status: "failed",
      errorSummary: { code: "step_failed", message: expect.stringContaining("tried 10 times") },
    });
    expect((await auditOf(w.orgId)).at(-1)).toBe("connector_run.failed");
  });

  it("lets 50 files of an organisation wait, and refuses more until one of them is done", async () => {
    const feed = await Feed.open(await world());
    const waiting = [];
    for (const n of numbers(1, 50)) waiting.push(await feed.queue(fileOf([n])));
    await expect(feed.queue(fileOf([51]))).rejects.toThrow("50 files of this organisation wait");
    await feed.post(`/runs/${waiting[0]!.id}/cancel`);
    expect(await feed.queue(fileOf([51]))).toMatchObject({ status: "queued" });
  });

  it("rejects a row with a NUL character, which cannot be stored, and applies the others", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const head = "id,name,mail,status,dept";
    const names = (...depts: string[]) => [head, ...depts.map((dept, n) => `p-${n},Name,,,${dept}`), ""].join("\n");
    await feed.upload(names("A", "A", "A"));
    const run = await feed.upload(`${names("B", "B\0", "B")}p-\0,No id,,,B\n`);
    expect(run).toMatchObject({ status: "succeeded", counts: { rows: 4, updated: 2, rejected: 2, deactivated: 0 } });
    expect((await feed.errors(run.id)).map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, "dept", "invalid_value"],
      [5, "id", "invalid_value"],
    ]);
    expect((await people(w)).map(({ attributes }) => attributes["department"])).toEqual(["B", "A", "B"]);
  });

  it("lists a connector as failing while no row of its last file could be used", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const run = await feed.upload(fileOf([1, 2], "gone"));
    expect(run).toMatchObject({ status: "succeeded", counts: { rows: 2, rejected: 2 } });
    expect(await listFailingConnectors(w.ctx, {})).toMatchObject([
      { runId: run.id, message: expect.stringContaining("All rows of the file were rejected (2)") },
    ]);
    await feed.upload(`${fileOf([1])}p-2,Two,,gone,\n`);
    expect(await listFailingConnectors(w.ctx, {})).toEqual([]);
  });

  it("rejects single rows, with line, column and reason", async () => {
    const w = await world();
    const feed = await Feed.open(w, {
      mapping: { ...mapping, attributes: { born: { from: "dept", transform: "date", format: "DD/MM/YYYY" } } },
    });
    const run = await feed.upload(
      [
        "id;name;mail;status;dept",
        "p-1;=HYPERLINK(1);no-mail;active;31/12/2000",
        ";Nobody;;;",
        '"p-2";Two;"',
        '";active;31/02/2000',
        "p-3;Three;;gone;",
        "p-4;Four;;;1/2/2000;more",
        "p-5;Five;;;1/2/2000",
        "p-5;Again;;;",
        "",
      ].join("\n"),
    );
    expect(run).toMatchObject({ status: "succeeded", counts: { rows: 7, created: 1, rejected: 6 } });
    expect((await feed.errors(run.id)).map(({ line, column, code }) => [line, column, code])).toEqual([
      [2, "mail", "invalid_value"],
      [3, "id", "missing_external_id"],
      [4, "dept", "invalid_date"],
      [6, "status", "unknown_value"],
      [7, null, "wrong_column_count"],
      [9, null, "duplicate_external_id"],
    ]);
    expect((await feed.errors(run.id))[0]!.message).toBe(
      "The value must be an e-mail address such as ada@example.edu.",
    );
    const csv = await feed.get(`/runs/${run.id}/errors/export`);
    expect(csv.text.split("\r\n").slice(0, 3)).toEqual([
      "\ufeffline,column,code,message",
      expect.stringMatching(/^2,mail,invalid_value,/),
      "3,id,missing_external_id,The id of the person is empty.",
    ]);
    // Errors repeat neither values nor formulas, because they are kept longer than an erased person's data.
    expect(csv.text).not.toMatch(/no-mail|HYPERLINK/);
    expect(await people(w)).toMatchObject([
      { externalId: "p-5", displayName: "Five", attributes: { born: "2000-02-01" } },
    ]);
  });

  it.each([
    ["UTF-8 with a byte order mark", {}, Buffer.from(`\ufeff${"id,name\r\nü-1,Zoë\r\n"}`)],
    ["UTF-16 little endian", {}, Buffer.from(`\ufeff${"id,name\nü-1,Zoë\n"}`, "utf16le")],
    ["UTF-16 big endian", {}, Buffer.from(`\ufeff${"id,name\nü-1,Zoë\n"}`, "utf16le").swap16()],
    [
      "Windows-1252, where the connector says so",
      { encoding: "windows-1252" },
      Buffer.from("id\tname\nü-1\tZoë", "latin1"),
    ],
    ["gzip", {}, gzipSync("id,name\rü-1,Zoë\r")],
    ["a separator that is named", { delimiter: "," }, Buffer.from("id,name;;\nü-1,Zoë\n")],
  ])("reads %s", async (_, settings, bytes) => {
    const w = await world();
    const name = "delimiter" in settings ? "name;;" : "name";
    const feed = await Feed.open(w, { mapping: { externalId: "id", displayName: name }, settings });
    expect(await feed.upload(bytes)).toMatchObject({ status: "succeeded", counts: { created: 1 } });
    expect(await people(w)).toMatchObject([{ externalId: "ü-1", displayName: "Zoë" }]);
  });

  it.each([
    ["an empty line in place of a header", "\n\n", "no_header", 1],
    ["a header alone", "id,name,mail,status,dept\n", "no_rows", null],
    ["other headers", "number,name\n1,Ada\n", "missing_column", 1],
    ["UTF-16 without a byte order mark", Buffer.from("id,name\n1,Ada\n", "utf16le"), "wrong_encoding", 1],
    ["a note for Excel above the header", `sep=,\n${fileOf([1])}`, "missing_column", 1],
    ["a dropped column", "id,name,status,dept\n1,Ada,active,x\n", "missing_column", 1],
    ["a header that stands twice", "id,name,mail,status,dept,id\n1,A,,,,2\n", "duplicate_header", 1],
    ["a quote that is never closed", `${fileOf([1, 2])}p-3,"Ada,,,\n${fileOf([4])}`, "unclosed_quote", 4],
    ["a quote in the wrong place", `${fileOf([1])}p-2,A"da",,,\n`, "invalid_quote", 3],
    ["mixed line ends", `${fileOf([1, 2])}p-3,Ada,,,\r\np-4,Eve,,,\n`, "mixed_line_ends", 4],
    ["another encoding", Buffer.from("id,name,mail,status,dept\n1,Zoë,,,\n", "latin1"), "wrong_encoding", null],
    ["a million columns", `${"c,".repeat(1_000_000)}\n1\n`, "line_too_long", 1],
    ["too many columns", `${numbers(1, 1500).join(",")}\n1\n`, "too_many_columns", 1],
    ["one line of many MiB", `id,name,mail,status,dept\n${"x".repeat(8_000_000)}\n`, "line_too_long", 2],
    ["a zip archive that is cut off", Buffer.from("PK\x03\x04rest"), "broken_archive", null],
    ["a gzip file that breaks off", gzipSync(fileOf(numbers(1, 1000))).subarray(0, 500), "broken_archive", null],
  ])("fails on %s, says why, and changes nobody", async (_, file, code, line) => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf([1, 2, 3]));
    const events = (await typesOf(w)).length;
    const run = await feed.upload(file);
    expect(run).toMatchObject({ status: "failed", errorSummary: { code, line }, finishedAt: expect.any(String) });
    expect((await typesOf(w)).length).toBe(events);
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
    expect(await listFailingConnectors(w.ctx, {})).toEqual([
      {
        connectorId: feed.id,
        connectorName: expect.any(String),
        runId: run.id,
        message: run.errorSummary!.message,
        failedAt: run.finishedAt,
      },
    ]);
    // The next good file is read as usual.
    expect(await feed.upload(`${fileOf([1, 2, 3])}\n`)).toMatchObject({
      status: "succeeded",
      counts: { unchanged: 3 },
    });
    expect(await listFailingConnectors(w.ctx, {})).toEqual([]);
  });

  it.each([
    ["windows-1252", "UTF-8 without a mark", Buffer.from("id,name\n1,Zoë\n")],
    ["windows-1252", "UTF-8 with a mark", Buffer.from("\ufeffid,name\n1,Zo\n")],
    ["windows-1252", "UTF-16", Buffer.from("\ufeffid,name\n1,Zoë\n", "utf16le")],
    ["utf-16le", "UTF-8 with a mark", Buffer.from("\ufeffid,name\n1,Zoë\n")],
    ["utf-8", "UTF-16", Buffer.from("\ufeffid,name\n1,Zoë\n", "utf16le").swap16()],
  ])("refuses, for a connector with %s, a file in %s and says what to change", async (encoding, _, bytes) => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: { externalId: "id", displayName: "name" }, settings: { encoding } });
    expect(await feed.upload(bytes)).toMatchObject({
      status: "failed",
      errorSummary: { code: "wrong_encoding", message: expect.stringContaining("Change the encoding") },
    });
    expect(await people(w)).toEqual([]);
  });

  it("lists the line of the file that deactivated a person, if no approval was needed", async () => {
    const feed = await Feed.open(await world());
    await feed.upload(fileOf([1, 2]));
    const run = await feed.upload(`${fileOf([1])}p-2,Person 2,,inactive,\n`);
    expect(run).toMatchObject({ counts: { deactivated: 1 } });
    expect((await feed.get(`/runs/${run.id}/removals`)).json()["data"]).toMatchObject([
      { externalId: "p-2", cause: "status", line: 3, state: "applied" },
    ]);
  });

  it("deactivates people who are missing from a full file, and reactivates them when they return", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } });
    await feed.upload(fileOf([1, 2, 3]));
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({
      status: "succeeded",
      counts: { unchanged: 2, deactivated: 1 },
    });
    const [gone] = await people(w, { externalId: "p-3" });
    expect(gone).toMatchObject({ status: "inactive", sources: [{ id: feed.id, missingSince: expect.any(String) }] });
    expect((await typesOf(w)).at(-1)).toBe("subject.deactivated");
    await feed.upload(fileOf([1, 2, 3]));
    expect(await people(w, { externalId: "p-3" })).toMatchObject([
      { status: "active", sources: [{ missingSince: null }] },
    ]);
  });

  it("reactivates people who return without a status after they were missing", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const file = (people: number[]) => fileOf(people, "");
    await feed.upload(file([1, 2]));
    expect(await feed.upload(file([1]))).toMatchObject({ counts: { deactivated: 1 } });
    await feed.upload(file([1, 2]));
    expect(await people(w, { externalId: "p-2" })).toMatchObject([{ status: "active" }]);
    // A status of the row decides.
    await feed.upload(file([1]));
    await feed.upload(`${file([1])}p-2,Person 2,,inactive,\n`);
    expect(await people(w, { externalId: "p-2" })).toMatchObject([{ status: "inactive" }]);
  });

  it("reactivates people whom another connector than the one that deactivated them lists, once", async () => {
    const w = await world();
    const body = { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } };
    const [one, other, third] = [await Feed.open(w, body), await Feed.open(w, body), await Feed.open(w, body)];
    const statusOf = async (n: number) => (await people(w, { externalId: `p-${n}` }))[0]!.status;
    await one.upload(fileOf([1, 2, 3]));
    await other.upload(fileOf([2, 3, 4]));
    await one.upload(fileOf([1]));
    expect(await other.upload(fileOf([4]))).toMatchObject({ counts: { deactivated: 2 } });
    // Both connectors had p-2 and then lacked them. The third one never had p-3.
    expect(await one.upload(fileOf([1, 2]))).toMatchObject({ counts: { updated: 1 } });
    expect(await third.upload(fileOf([3]))).toMatchObject({ counts: { updated: 1 } });
    expect([await statusOf(2), await statusOf(3)]).toEqual(["active", "active"]);
    // The absence has ended. A person who is deactivated here now stays inactive, whichever connector lists them.
    const [two] = await people(w, { externalId: "p-2" });
    await call("PATCH", `/v1/subjects/${two!.id}`, { token: one.token, body: { status: "inactive" } });
    await third.upload(fileOf([2, 3]));
    await other.upload(fileOf([2, 4]));
    expect(await statusOf(2)).toBe("inactive");
  });

  it("leaves missing people as they are if the connector keeps them or its files list only changes", async () => {
    for (const body of [{}, { mode: "delta", missing: "deactivate" }]) {
      const w = await world();
      const feed = await Feed.open(w, body);
      await feed.upload(fileOf([1, 2, 3]));
      expect(await feed.upload(fileOf([1]))).toMatchObject({ counts: { unchanged: 1, deactivated: 0 } });
      expect((await people(w)).map(({ status }) => status)).toEqual(["active", "active", "active"]);
    }
  });

  it("does not deactivate missing people whom it does not provide, or whom another source provides too", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const other = await Feed.open(w, { missing: "deactivate" });
    const put = (externalId: string) => call("PUT", "/v1/subjects", { token: feed.token, body: { externalId } });
    await put("p-9");
    await put("p-2");
    await other.upload(fileOf([3, 4]));
    await feed.upload(fileOf([1, 2, 3]));
    await feed.upload(fileOf([5]));
    expect((await people(w, { status: "inactive" })).map(({ externalId }) => externalId)).toEqual(["p-1"]);
    // Now they are missing from the other connector too, so no source provides them.
    await other.upload(fileOf([4]));
    expect((await people(w, { status: "inactive" })).map(({ externalId }) => externalId)).toEqual(["p-1", "p-3"]);
  });

  it("rejects rows of people from other sources if it may not take them over", async () => {
    const w = await world();
    const feed = await Feed.open(w, { adopt: "never" });
    await call("PUT", "/v1/subjects", { token: feed.token, body: { externalId: "p-1", displayName: "Mine" } });
    const run = await feed.upload(fileOf([1, 2]));
    expect(run).toMatchObject({ status: "succeeded", counts: { created: 1, rejected: 1 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 2, code: "not_adopted" }]);
    expect(await people(w, { externalId: "p-1" })).toMatchObject([{ displayName: "Mine" }]);
    expect(await feed.upload(`${fileOf([1, 2])}\n`)).toMatchObject({ counts: { unchanged: 1, rejected: 1 } });
  });

  it("finds a person by its own key after somebody corrected the external id", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf([1]));
    const [one] = await people(w);
    await call("PATCH", `/v1/subjects/${one!.id}`, { token: feed.token, body: { externalId: "corrected" } });
    expect(await feed.upload(`${fileOf([1])}\n`)).toMatchObject({
      counts: { unchanged: 1, created: 0, deactivated: 0 },
    });
  });

  it("does not write fields that a connector with a lower priority number maps", async () => {
    const w = await world();
    const registry = await Feed.open(w, { priority: 1, mapping: { externalId: "id", displayName: "name" } });
    const library = await Feed.open(w, { priority: 2 });
    await registry.upload("id,name\np-1,Registered\n");
    await library.upload("id,name,mail,status,dept\np-1,Nick,n@example.edu,,Maths\np-2,Other,,,\n");
    expect(await people(w)).toMatchObject([
      { displayName: "Registered", email: "n@example.edu", attributes: { department: "Maths" } },
      { displayName: "Other" },
    ]);
  });

  it("does not write them either while that connector is paused", async () => {
    const w = await world();
    const registry = await Feed.open(w, { priority: 1, mapping: { externalId: "id", displayName: "name" } });
    const library = await Feed.open(w, { priority: 2 });
    await registry.upload("id,name\np-1,Registered\n");
    await call("PATCH", `/v1/connectors/${registry.id}`, { token: registry.token, body: { status: "paused" } });
    await library.upload(fileOf([1]));
    expect(await people(w)).toMatchObject([{ displayName: "Registered", email: "p1@example.edu" }]);
  });

  it("deactivates nobody whose status another connector writes, or whose first row says active", async () => {
    const w = await world();
    const registry = await Feed.open(w, { priority: 1, mapping: { externalId: "id", status: "status" } });
    const library = await Feed.open(w, { priority: 2, limits: { deactivations: 0, deactivationPercent: 0 } });
    await registry.upload("id,status\np-1,active\n");
    await library.upload(fileOf([2]));
    const run = await library.upload(`${fileOf([1], "inactive")}p-2,Two,,active,\np-2,Two,,inactive,\n`);
    expect(run).toMatchObject({ status: "succeeded", counts: { deactivated: 0, held: 0, rejected: 1 } });
    expect((await people(w)).map(({ status }) => status)).toEqual(["active", "active"]);
    expect(await registry.upload("id,status\np-1,inactive\n")).toMatchObject({ counts: { deactivated: 1 } });
  });

  it("deactivates by a status column only people whom no other source keeps active", async () => {
    const w = await world();
    const [one, other] = [await Feed.open(w), await Feed.open(w)];
    await call("PUT", "/v1/subjects", { token: one.token, body: { externalId: "p-9" } });
    await one.upload(fileOf([1, 2, 9]));
    await other.upload(fileOf([1]));
    expect(await one.upload(fileOf([1, 2, 9], "inactive"))).toMatchObject({ counts: { deactivated: 1 }, hold: null });
    expect((await people(w, { status: "inactive" })).map(({ externalId }) => externalId)).toEqual(["p-2"]);
    expect(await other.upload(fileOf([1], "inactive"))).toMatchObject({ counts: { deactivated: 1 } });
  });

  it("rejects an erased person's row and applies the others", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf([1, 2]));
    const [one] = await people(w, { externalId: "p-1" });
    await call("POST", `/v1/subjects/${one!.id}/erase`, { token: feed.token, body: { reason: "r" } });
    const run = await feed.upload(fileOf([1, 2, 3]));
    expect(run).toMatchObject({ counts: { created: 1, unchanged: 1, rejected: 1, deactivated: 0 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 2, code: "subject_erased" }]);
  });

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
    expect(await people(w)).toEqual([]);
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
    expect(await people(w)).toMatchObject([{ displayName: "Name 6" }]);
  });
});

describe("a run in steps", () => {
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
    while ((await waitingForLock()).length === 0);
    await child.kill();
    await holder.query("ROLLBACK");
    holder.release();
    expect(await feed.run(id)).toMatchObject({ status: "running" });
    while ((await feed.run(id)).status === "running") await feed.work();
    expect(await feed.run(id)).toMatchObject({
      status: "succeeded",
      counts: { rows: 2100, created: 2100, unchanged: 0 },
    });
    expect((await typesOf(w)).length).toBe(2100);
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
      expect(await people(w)).toMatchObject([{ displayName: name }, {}, { email: "p3@example.edu" }]);
    }
    expect(await feed.upload(shorter)).toMatchObject({ counts: { rejected: 1 } });
    expect(await feed.upload(whole)).toMatchObject({ counts: { rejected: 0, updated: 1 } });
    expect(await people(w, { externalId: "p-3" })).toMatchObject([{ email: "new@example.edu" }]);
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
    expect((await people(w)).map(({ status }) => status)).toEqual(["active", "active", "active"]);
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
    while ((await sql(`SELECT 1 FROM connector_runs WHERE org_id = $1 AND phase = 'planning'`, [w.orgId])).length === 0)
      await runConnectorStep(new Date());
    const blocker = await pool().connect();
    await blocker.query("BEGIN");
    await blocker.query(`SELECT 1 FROM connector_runs WHERE org_id = $1 AND status = 'held' FOR UPDATE`, [w.orgId]);
    const deleting = feed.delete();
    while ((await waitingForLock("connector_runs")).length === 0);
    let stepped = false;
    const step = runConnectorStep(new Date()).finally(() => (stepped = true));
    while (!stepped && (await waitingForLock("connector_runs")).length < 2);
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
    while ((await sql(`SELECT 1 FROM connector_runs WHERE org_id = $1 AND phase = 'applying'`, [w.orgId])).length === 0)
      await runConnectorStep(new Date());
    const blocker = await pool().connect();
    await blocker.query("BEGIN");
    await blocker.query(`INSERT INTO subjects (org_id, id, external_id) VALUES ($1, $2, 'p-1')`, [
      w.orgId,
      newId("sub"),
    ]);
    const step = runConnectorStep(new Date());
    while ((await waitingForLock("subjects")).length === 0);
    const deleting = feed.delete();
    while ((await waitingForLock("connector_runs")).length === 0);
    await blocker.query("ROLLBACK");
    blocker.release();
    await step;
    expect((await deleting).status).toBe(204);
    expect(await people(w)).toMatchObject([{ externalId: "p-1" }]);
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
      const [first] = await people(w);
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

describe("deactivations above the limit", () => {
  it("cannot be approved after a newer file replaced them, and the error names the newer file", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const held = await feed.upload(fileOf(numbers(1, 15)));
    await feed.upload(fileOf(numbers(1, 28)));
    const approver = await w.key("connectors:approve", "connectors:read");
    const refused = await feed.post(`/runs/${held.id}/approve`, {}, approver);
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({
        code: "run_state",
        decidedBy: null,
        detail: expect.stringContaining("A newer file replaced this one meanwhile.") as string,
      }),
    ]);
  });

  it("wait for approval while all other changes are applied; an approval applies exactly them", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const file = fileOf(numbers(1, 15)).replace("Person 1,", "Renamed,");
    const run = await feed.upload(`${file}p-31,New,,,\n`);
    expect(run).toMatchObject({
      status: "held",
      hold: { reason: "limit", limit: 10 },
      counts: { rows: 16, created: 1, updated: 1, unchanged: 14, deactivated: 0, held: 15 },
    });
    expect((await people(w, { status: "inactive" })).length).toBe(0);
    expect(await feed.removals(run.id)).toHaveLength(15);
    expect(await listHeldRuns(w.ctx, {})).toMatchObject([{ id: run.id, connectorId: feed.id, held: 15 }]);
    const usual = await feed.post(`/runs/${run.id}/approve`);
    expect([usual.status, usual.json()["code"]]).toEqual([403, "insufficient_scope"]);
    const approver = await w.key("connectors:approve", "connectors:read");
    const approved = await feed.post(`/runs/${run.id}/approve`, {}, approver);
    expect([approved.status, approved.json()]).toEqual([202, expect.objectContaining({ status: "running" })]);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 15, held: 0 } });
    expect((await people(w, { status: "inactive" })).map(({ externalId }) => externalId).toSorted()).toEqual(
      numbers(16, 30).map((n) => `p-${n}`),
    );
    expect(await listHeldRuns(w.ctx, {})).toEqual([]);
    const again = await feed.post(`/runs/${run.id}/approve`, {}, approver);
    expect([again.status, again.json()]).toEqual([
      409,
      expect.objectContaining({ code: "run_state", decidedBy: expect.objectContaining({ type: "api_key" }) }),
    ]);
  });

  it("make people missing only once they are approved, but not whom a newer file of changes lists", async () => {
    const w = await world();
    const registry = await Feed.open(w, { missing: "deactivate", priority: 1 });
    const library = await Feed.open(w, { mode: "delta", priority: 2 });
    await registry.upload(fileOf(numbers(1, 30)));
    await library.upload(fileOf([20, 21]));
    const run = await registry.upload(fileOf(numbers(1, 15)));
    expect(run).toMatchObject({ status: "held", counts: { held: 13 } });
    const missing = async (n: number) =>
      (await people(w, { externalId: `p-${n}` }))[0]!.sources.find(({ id }) => id === registry.id)!.missingSince;
    expect([await missing(20), await missing(30)]).toEqual([null, null]);
    const form = new FormData();
    form.set("mode", "delta");
    form.set("file", new Blob([fileOf([21, 22])]), "some.csv");
    const body = new Response(form);
    await registry.queue(new Uint8Array(await body.arrayBuffer()), {
      "content-type": body.headers.get("content-type")!,
    });
    await registry.work();
    await registry.post(`/runs/${run.id}/approve`, { expectedCount: 12 }, await w.key("connectors:approve"));
    await registry.work();
    expect(await registry.run(run.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 12, held: 0 } });
    expect(await missing(20)).not.toBeNull();
    expect([await missing(21), await missing(22)]).toEqual([null, null]);
    // The registry no longer lists p-20, so it decides nothing about them.
    await library.upload(fileOf([20, 21]).replaceAll("Person", "Reader"));
    const names = (await people(w)).map(({ displayName }) => displayName);
    expect(names).toEqual(expect.arrayContaining(["Reader 20", "Person 21"]));
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });

  it("are counted over 24 hours, whether by status or by absence", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    expect(await feed.upload(fileOf(numbers(1, 24)))).toMatchObject({
      status: "succeeded",
      counts: { deactivated: 6 },
    });
    const inactive = fileOf(numbers(20, 24), "inactive").split("\n").slice(1).join("\n");
    const run = await feed.upload(fileOf(numbers(1, 19)) + inactive);
    expect(run).toMatchObject({ status: "held", counts: { held: 5, deactivated: 0, unchanged: 24 } });
    expect(run.hold!.message).toContain("after 6 in the last 24 hours");
    // A day later, the first six no longer count.
    await sql(`UPDATE connector_removals SET applied_at = applied_at - interval '25 hours' WHERE org_id = $1`, [
      w.orgId,
    ]);
    expect(await feed.upload(`${fileOf(numbers(1, 19))}${inactive}\n`)).toMatchObject({
      status: "succeeded",
      counts: { deactivated: 5 },
    });
    expect(await feed.run(run.id)).toMatchObject({ status: "cancelled", errorSummary: { code: "superseded" } });
  });

  it("are dropped when the run is cancelled", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    expect((await feed.post(`/runs/${run.id}/cancel`)).status).toBe(403);
    const approver = await w.key("connectors:approve", "connectors:read");
    expect((await feed.post(`/runs/${run.id}/cancel`, {}, approver)).json()).toMatchObject({
      status: "cancelled",
      counts: { held: 0 },
    });
    await feed.work();
    expect((await people(w, { status: "inactive" })).length).toBe(0);
    expect((await feed.removals(run.id)).every(({ state }) => state === "dropped")).toBe(true);
  });

  it.each([
    ["PATCH", (w: World, id: string, status: string) => [`/v1/subjects/${id}`, { status }] as const],
    ["PUT", (_: World, __: string, status: string) => ["/v1/subjects", { externalId: "p-2", status }] as const],
  ])("do not return for somebody who was deactivated and activated here (%s)", async (method, request) => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    const [someone] = await people(w, { externalId: "p-2" });
    for (const status of ["inactive", "active"]) {
      const [path, body] = request(w, someone!.id, status);
      expect((await call(method, path, { token: feed.token, body })).status).toBe(200);
    }
    expect((await feed.removals(run.id)).filter(({ state }) => state === "dropped")).toMatchObject([
      { externalId: "p-2" },
    ]);
    const approver = await w.key("connectors:approve", "connectors:read");
    expect((await feed.post(`/runs/${run.id}/approve`, { expectedCount: 28 }, approver)).status).toBe(202);
    await feed.work();
    expect((await people(w, { status: "active" })).map(({ externalId }) => externalId).toSorted()).toEqual([
      "p-1",
      "p-2",
    ]);
  });

  it("are dropped when their connector is deleted, and its runs are no longer found", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    await feed.delete();
    await feed.work();
    for (const path of ["", "/errors", "/removals"])
      expect((await feed.get(`/runs/${run.id}${path}`)).status).toBe(404);
    expect(
      await sql(
        `SELECT r.status, r.held, count(m.*) FILTER (WHERE m.state = 'staged') AS staged FROM connector_runs r
         JOIN connector_removals m ON m.org_id = r.org_id AND m.run_id = r.id WHERE r.org_id = $1 GROUP BY r.id, r.status, r.held`,
        [w.orgId],
      ),
    ).toEqual([{ status: "cancelled", held: 0, staged: 0 }]);
    expect((await people(w, { status: "inactive" })).length).toBe(0);
  });

  it("are refused at the approval if some of them are no longer due, unless the new count is confirmed", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(fileOf([1]));
    await call("PUT", "/v1/subjects", { token: feed.token, body: { externalId: "p-2", displayName: "By hand" } });
    const approver = await w.key("connectors:approve", "connectors:read");
    const refused = await feed.post(`/runs/${run.id}/approve`, {}, approver);
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: "count_mismatch", count: 28, expectedCount: 29 }),
    ]);
    await feed.post(`/runs/${run.id}/approve`, { expectedCount: 28 }, approver);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 28, held: 0 } });
    expect((await people(w, { status: "active" })).map(({ externalId }) => externalId)).toEqual(["p-1", "p-2"]);
  });

  it.each([
    ["a column was lost that nothing reads", (file: string) => file.replaceAll(/,[^,]*$/gm, ""), "lost_columns"],
    ["its last byte", (file: string) => file.slice(0, -1), "cut_off"],
    ["the key of a row", (file: string) => `${file},Nameless,,,,\n`, "unknown_rows"],
  ])("wait for approval even below the limit if a file has lost %s", async (_, harm, reason) => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const wide = (people: number[]) => fileOf(people).replaceAll(/(.)$/gm, "$1,x").replace("dept,x", "dept,extra");
    await feed.upload(wide([1, 2, 3]));
    expect(await feed.upload(harm(wide([1, 2])))).toMatchObject({
      status: "held",
      hold: { reason },
      counts: { held: 1 },
    });
    // The next night, the same broken file comes again.
    expect(await feed.upload(`${harm(wide([1, 2])).replace("Person 1", "Renamed")}`)).toMatchObject({
      status: "held",
      hold: { reason },
    });
    expect((await people(w, { status: "inactive" })).length).toBe(0);
  });
});

it("a lost column holds deactivations by a status column too, of full files and of changes", async () => {
  for (const mode of ["full", "delta"]) {
    const w = await world();
    const feed = await Feed.open(w, { mode });
    const wide = (people: number[], status?: string) =>
      fileOf(people, status).replaceAll(/(.)$/gm, "$1,x").replace("dept,x", "dept,extra");
    await feed.upload(wide([1, 2]));
    expect(await feed.upload(fileOf([1, 2], "inactive"))).toMatchObject({
      status: "held",
      hold: { reason: "lost_columns", message: expect.stringContaining('"extra"') as string },
      counts: { held: 2, deactivated: 0 },
    });
    expect((await people(w, { status: "inactive" })).length).toBe(0);
    expect(await feed.upload(wide([1, 2], "inactive"))).toMatchObject({ counts: { deactivated: 2 } });
  }
});

describe("a file that has lost the values of a column", () => {
  const bare = (people: number[]) =>
    ["id,name,mail,status,dept", ...people.map((n) => `p-${n},,,active,Physics`), ""].join("\n");

  it("is held as a whole, and applied after approval", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf(numbers(1, 30)));
    const before = await people(w);
    const run = await feed.upload(bare(numbers(1, 31)));
    expect(run).toMatchObject({
      status: "held",
      hold: {
        reason: "lost_values",
        message: expect.stringContaining(
          'The file has nothing in the column "name" for 30 people who have a value there, and fills it for 0.',
        ),
      },
      counts: { rows: 31, created: 0, updated: 0 },
    });
    expect(run.hold!.message).toContain('"mail"');
    expect(run.hold!.message).not.toContain('"dept"');
    expect(await people(w)).toEqual(before);
    const token = await w.key("connectors:approve");
    expect((await feed.post(`/runs/${run.id}/approve`, { expectedCount: 0 }, token)).status).toBe(202);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "succeeded", counts: { created: 1, updated: 30 } });
    expect((await people(w)).every(({ displayName, email }) => displayName === "" && email === null)).toBe(true);
  });

  it("is reported by the preview, and not applied if it is cancelled or a newer file comes", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf(numbers(1, 6)));
    const told = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      body: { connectorId: feed.id, content: bare(numbers(1, 6)) },
    });
    expect(told.json()["hold"]).toMatchObject({ reason: "lost_values" });
    const first = await feed.upload(bare(numbers(1, 6)));
    await feed.post(`/runs/${first.id}/cancel`, {}, await w.key("connectors:approve", "connectors:run"));
    const second = await feed.upload(bare(numbers(1, 6)));
    expect(second).toMatchObject({ status: "held" });
    await feed.upload(fileOf(numbers(1, 7)));
    await feed.work();
    expect(await feed.run(second.id)).toMatchObject({ status: "cancelled", errorSummary: { code: "superseded" } });
    expect((await people(w)).map(({ displayName }) => displayName)).toContain("Person 1");
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });

  it("needs a second approval for deactivations above the limit", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf(numbers(1, 30)));
    const run = await feed.upload(bare(numbers(1, 9)));
    expect(run).toMatchObject({ status: "held", hold: { reason: "lost_values" } });
    const token = await w.key("connectors:approve");
    await feed.post(`/runs/${run.id}/approve`, {}, token);
    await feed.work();
    expect(await feed.run(run.id)).toMatchObject({ status: "held", hold: { reason: "limit" }, counts: { held: 21 } });
  });

  it("is not held if the column was empty before, few people lose a value, or many keep theirs", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const file = (lines: [number, string][]) =>
      ["id,name,mail,status,dept", ...lines.map(([n, dept]) => `p-${n},Person ${n},,,${dept}`), ""].join("\n");
    await feed.upload(file(numbers(1, 20).map((n) => [n, n <= 4 ? "Law" : ""])));
    expect(await feed.upload(file(numbers(1, 20).map((n) => [n, ""])))).toMatchObject({ counts: { updated: 4 } });
    await feed.upload(file(numbers(1, 20).map((n) => [n, "Law"])));
    expect(await feed.upload(file(numbers(1, 20).map((n) => [n, n <= 3 ? "Law" : ""])))).toMatchObject({
      counts: { updated: 17 },
    });
  });

  it("deletes its held rows of people who are erased", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf(numbers(1, 6)));
    await feed.upload(bare(numbers(1, 6)));
    const [one] = await people(w, { externalId: "p-1" });
    await call("POST", `/v1/subjects/${one!.id}/erase`, { token: feed.token, body: { reason: "Asked" } });
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1 AND key = 'p-1'`, [w.orgId])).toEqual([]);
  });
});
