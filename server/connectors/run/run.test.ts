import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { actorNames } from "@/server/access/actor-names";
import { auditOf } from "@/server/testing/audit";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { listFailingConnectors } from "../list-failing";
import { Feed, fileOf, mapping, numbers } from "../testing/feed";
import { runConnectorStep } from "./step";
import { eventTypesOf, noCounts, peopleOf } from "../testing/outcome";

beforeAll(ownDatabase);

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
      counts: { ...noCounts, rows: 2, created: 1, updated: 1 },
      hold: null,
    });
    expect(await peopleOf(w)).toMatchObject([
      {
        externalId: "p-1",
        displayName: "Lovelace, Ada",
        email: "ada@example.edu",
        attributes: { department: "Maths" },
      },
      { externalId: "p-2", displayName: "Charles", email: null, status: "active", attributes: { kept: 1 } },
    ]);
    expect(await eventTypesOf(w)).toEqual(["subject.created", "subject.created", "subject.updated"]);
    const [own] = await peopleOf(w, { externalId: "p-1" });
    expect(own!.sources).toMatchObject([{ type: "connector", id: feed.id, missingSince: null }]);
    const other = await feed.upload(`${file}\n\n`);
    expect(other).toMatchObject({
      status: "succeeded",
      identical: false,
      counts: { ...noCounts, rows: 2, unchanged: 2 },
    });
    expect((await eventTypesOf(w)).length).toBe(3);
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
    expect(await feed.run(id)).toMatchObject({ status: "succeeded", counts: { ...noCounts, rows: 2, created: 2 } });
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
    expect((await peopleOf(w)).map(({ attributes }) => attributes["department"])).toEqual(["B", "A", "B"]);
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
    expect(await peopleOf(w)).toMatchObject([
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
    expect(await peopleOf(w)).toMatchObject([{ externalId: "ü-1", displayName: "Zoë" }]);
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
    const events = (await eventTypesOf(w)).length;
    const run = await feed.upload(file);
    expect(run).toMatchObject({ status: "failed", errorSummary: { code, line }, finishedAt: expect.any(String) });
    expect((await eventTypesOf(w)).length).toBe(events);
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
    expect(await peopleOf(w)).toEqual([]);
  });

  it("rejects an erased person's row and applies the others", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf([1, 2]));
    const [one] = await peopleOf(w, { externalId: "p-1" });
    await call("POST", `/v1/subjects/${one!.id}/erase`, { token: feed.token, body: { reason: "r" } });
    const run = await feed.upload(fileOf([1, 2, 3]));
    expect(run).toMatchObject({ counts: { created: 1, unchanged: 1, rejected: 1, deactivated: 0 } });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 2, code: "subject_erased" }]);
  });
});
