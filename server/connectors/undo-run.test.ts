import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addGroupMembers } from "@/server/groups/add-members";
import { issueCredential } from "@/server/credentials/issue";
import { createGroup } from "@/server/groups/create";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { purgeExpired } from "@/server/retention/purge";
import { readId } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { Directory } from "@/server/scim/testing/directory";
import { listSubjects } from "@/server/subjects/list";
import { upsertSubject } from "@/server/subjects/upsert";
import { publishedTemplate } from "@/server/testing/credentials";
import { begin } from "@/server/testing/deadlocks";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import type { RunView } from "./run-view";
import { Feed, fileOf, mapping, numbers } from "./testing/feed";

beforeAll(ownDatabase);

const people = async ({ ctx }: World, filter: object = {}) =>
  (await listSubjects(ctx, { sort: "externalId", limit: 100, ...filter })).data;

const ask = async (feed: Feed, id: string) =>
  feed.post(`/runs/${id}/undo`, {}, await feed.world.key("connectors:approve", "connectors:run"));

/** Undoes a run and completes the undo. */
async function undo(feed: Feed, id: string): Promise<RunView> {
  const answer = await ask(feed, id);
  if (answer.status !== 202) throw new Error(answer.text);
  await feed.work();
  return feed.run(answer.json<RunView>().id);
}

it("deletes the staged rows and the changes of a run with its connector, and those of no other run", async () => {
  const w = await world();
  const feed = await Feed.open(w, { missing: "deactivate" });
  const other = await Feed.open(w);
  await other.upload("id,name,mail,status,dept\nq-1,Grace,,,\n");
  await feed.upload(fileOf(numbers(1, 30)));
  expect(await feed.upload(fileOf([1, 2]))).toMatchObject({ status: "held" });
  const left = () =>
    sql(
      `SELECT 'row' AS kind, count(*) AS n FROM connector_rows WHERE org_id = $1
       UNION ALL SELECT 'change', count(*) FROM connector_changes WHERE org_id = $1`,
      [w.orgId],
    );
  expect(await left()).toEqual([
    { kind: "row", n: 2 },
    { kind: "change", n: 31 },
  ]);
  await sql(`DELETE FROM connectors WHERE org_id = $1 AND id = $2`, [w.orgId, readId("con", feed.id)]);
  expect(await left()).toEqual([
    { kind: "row", n: 0 },
    { kind: "change", n: 1 },
  ]);
});

describe("an undo", () => {
  it("restores changed people and deletes created people, with the usual events, and only once", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: { ...mapping, attributes: { department: "dept", extra: "mail" } } });
    await call("PUT", "/v1/subjects", {
      token: feed.token,
      body: { externalId: "p-2", displayName: "Old", attributes: { kept: 1 } },
    });
    const before = await people(w);
    const run = await feed.upload(fileOf([1, 2]));
    expect(run).toMatchObject({ undoableUntil: expect.any(String), undoneBy: null });
    const events = (await eventsOf(w.orgId)).length;
    const undone = await undo(feed, run.id);
    expect(undone).toMatchObject({
      status: "succeeded",
      trigger: "undo",
      undoes: run.id,
      counts: { rows: 2, updated: 1, deleted: 1, deactivated: 0, skipped: 0 },
    });
    const [after] = await people(w);
    expect(after).toEqual({ ...before[0], updatedAt: expect.any(String) });
    expect(await people(w)).toHaveLength(1);
    expect(
      (await eventsOf(w.orgId))
        .slice(events)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(["subject.deleted", "subject.updated"]);
    expect(await feed.run(run.id)).toMatchObject({ undoneBy: undone.id, undoableUntil: null });
    const again = await ask(feed, run.id);
    expect([again.status, again.json()["code"]]).toEqual([409, "run_state"]);
    expect((await ask(feed, undone.id)).status).toBe(409);
    // After the undo, the same file is applied again.
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({ identical: false, counts: { created: 1, updated: 1 } });
  });

  it("skips people who were changed, erased, taken over or put into a group since", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const run = await feed.upload(fileOf(numbers(1, 6)));
    const of = Object.fromEntries((await people(w)).map(({ externalId, id }) => [externalId, id]));
    await upsertSubject(w.ctx, { externalId: "p-1", displayName: "Somebody else" });
    await eraseSubject(w.ctx, { id: of["p-2"]!, reason: "Asked" });
    const other = await call("POST", "/v1/connectors", {
      token: feed.token,
      body: { name: "Other", type: "csv", mapping },
    });
    const second = `/v1/connectors/${other.json()["id"]}/upload`;
    await call("POST", second, { token: feed.token, raw: fileOf([3]), headers: { "content-type": "text/csv" } });
    await feed.work();
    const group = await createGroup(w.ctx, { name: "Choir" });
    await addGroupMembers(w.ctx, { id: group.id, subjectIds: [of["p-4"]!] });
    expect(await undo(feed, run.id)).toMatchObject({ counts: { deleted: 2, skipped: 3 } });
    const left = (await people(w)).map(({ externalId }) => externalId);
    expect(left).toEqual(expect.arrayContaining(["p-1", "p-3", "p-4"]));
    expect(left).not.toEqual(expect.arrayContaining(["p-5"]));
  });

  it("keeps people whom requests put into a group, took over or issued to while it waited for them", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const run = await feed.upload(fileOf([1, 2, 3, 4]));
    const group = await createGroup(w.ctx, { name: "Choir" });
    const directory = await Directory.open(w);
    const { id: templateId } = await publishedTemplate(w.ctx);
    await ask(feed, run.id);
    const requests = [
      () => addGroupMembers(w.ctx, { id: group.id, externalIds: ["p-1"] }),
      () => directory.user("p2@example.edu", { externalId: "p-2" }),
      () => issueCredential(w.ctx, { subject: { externalId: "p-3" }, templateId }),
      () => feed.work(),
    ];
    const answers = await transaction(async (tx) => {
      await tx.sql(`SELECT 1 FROM subjects WHERE org_id = $1 FOR UPDATE`, [w.orgId]);
      const begun = [];
      for (const request of requests) begun.push(await begin<unknown>(request));
      expect(begun.map(({ waits }) => waits)).toEqual([true, true, true, true]);
      return begun.map(({ answer }) => answer);
    });
    await Promise.all(answers);
    expect((await people(w)).map(({ externalId, status }) => [externalId, status])).toEqual([
      ["p-1", "active"],
      ["p-2", "active"],
      ["p-3", "inactive"],
    ]);
  });

  it("undoes an older run after the newer runs were undone, except for people who were changed in between", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await upsertSubject(w.ctx, { externalId: "p-9", displayName: "Nine", attributes: { department: "Law" } });
    const before = await people(w);
    const renamed = (to: string, people: number[]) => fileOf(people).replaceAll("Person", to);
    const runs = [await feed.upload(fileOf([1, 2, 3, 9])), await feed.upload(renamed("Second", [1, 2, 3, 9]))];
    await upsertSubject(w.ctx, { externalId: "p-2", email: "by.hand@example.edu" });
    runs.push(await feed.upload(`${renamed("Third", [1, 2, 9])}p-3,Third 3,,inactive,\n`));
    expect(await undo(feed, runs[2]!.id)).toMatchObject({ counts: { updated: 4, skipped: 0 } });
    expect((await people(w)).map(({ displayName, status }) => [displayName, status])).toEqual([
      ["Second 1", "active"],
      ["Second 2", "active"],
      ["Second 3", "active"],
      ["Second 9", "active"],
    ]);
    // p-2 was changed by hand between the second and the third run.
    expect(await undo(feed, runs[1]!.id)).toMatchObject({ counts: { updated: 3, skipped: 1 } });
    expect(await undo(feed, runs[0]!.id)).toMatchObject({ counts: { updated: 1, deleted: 2, skipped: 1 } });
    expect(await people(w)).toMatchObject([
      { externalId: "p-2", displayName: "Second 2", email: "by.hand@example.edu" },
      { externalId: "p-9", displayName: "Nine", attributes: { department: "Law" } },
    ]);
    expect((await people(w, { externalId: "p-9" }))[0]).toEqual({ ...before[0], updatedAt: expect.any(String) });
  });

  it("deactivates created people who hold a credential instead of deleting them; the next file makes them active", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: { ...mapping, status: undefined } });
    const run = await feed.upload(fileOf([1]));
    const template = await publishedTemplate(w.ctx);
    await issueCredential(w.ctx, { subject: { externalId: "p-1" }, templateId: template.id });
    expect(await undo(feed, run.id)).toMatchObject({ counts: { deleted: 0, deactivated: 1 } });
    expect(await people(w, { externalId: "p-1" })).toMatchObject([{ status: "inactive" }]);
    expect(await feed.upload(fileOf([1]))).toMatchObject({ counts: { updated: 1 } });
    expect(await people(w, { externalId: "p-1" })).toMatchObject([{ status: "active" }]);
  });

  it("reactivates people who were missing from a full file, and returns adopted people to their source", async () => {
    const w = await world();
    const fields = { externalId: "id", displayName: "name" };
    const feed = await Feed.open(w, { missing: "deactivate", mapping: fields });
    await feed.upload(fileOf([1, 2, 3]));
    await upsertSubject(w.ctx, { externalId: "p-9", displayName: "Person 9" });
    const run = await feed.upload(fileOf([1, 2, 9]));
    expect(run).toMatchObject({ counts: { deactivated: 1, unchanged: 3 } });
    expect(await undo(feed, run.id)).toMatchObject({ counts: { updated: 1, skipped: 0 } });
    expect(await people(w, { externalId: "p-3" })).toMatchObject([
      { status: "active", sources: [{ missingSince: null }] },
    ]);
    expect((await people(w, { externalId: "p-9" }))[0]!.sources.map(({ type }) => type)).toEqual(["api"]);
    // The undone deactivation no longer counts against the limit.
    expect(
      await sql(`SELECT 1 FROM connector_removals WHERE org_id = $1 AND applied_at IS NOT NULL`, [w.orgId]),
    ).toEqual([]);
  });

  it("lets the next file reactivate people whose return was undone, of its own and of others", async () => {
    const w = await world();
    const body = { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } };
    const [feed, other] = [await Feed.open(w, body), await Feed.open(w, body)];
    const statuses = async () => (await people(w)).map(({ status }) => status);
    await feed.upload(fileOf([1, 2]));
    await feed.upload(fileOf([1]));
    const run = await feed.upload(fileOf([1, 2]));
    expect(await undo(feed, run.id)).toMatchObject({ counts: { updated: 1, skipped: 0 } });
    expect(await statuses()).toEqual(["active", "inactive"]);
    expect(await feed.upload(fileOf([1, 2]))).toMatchObject({ counts: { updated: 1 } });
    await feed.upload(fileOf([1]));
    const adopted = await other.upload(fileOf([2]));
    await undo(other, adopted.id);
    expect(await statuses()).toEqual(["active", "inactive"]);
    await feed.upload(fileOf([1, 2]));
    expect(await statuses()).toEqual(["active", "active"]);
  });

  it.each([
    ["added", {}, { status: "status" }],
    ["removed", { status: "status" }, {}],
  ])(
    "records the absence that the undone run ended as that run's mapping says, after a status was %s",
    async (_, before, after) => {
      const w = await world();
      const fields = { externalId: "id", displayName: "name" };
      const feed = await Feed.open(w, { missing: "deactivate", mapping: { ...fields, ...before } });
      await feed.upload(fileOf([1, 2]));
      await feed.upload(fileOf([1]));
      const absent = () =>
        sql(
          `SELECT s.external_id, s.status, o.ended, o.missing_since IS NOT NULL AS missing FROM subject_sources o JOIN subjects s ON s.org_id = o.org_id AND s.id = o.subject_id
           WHERE o.org_id = $1 ORDER BY s.external_id`,
          [w.orgId],
        );
      const run = await feed.upload(fileOf([1, 2]));
      expect(await undo(feed, run.id)).toMatchObject({ status: "succeeded", counts: { updated: 1 } });
      const expected = await absent();
      const again = await feed.upload(fileOf([1, 2]).replace("Person 1", "Renamed 1"));
      await call("PATCH", `/v1/connectors/${feed.id}`, {
        token: feed.token,
        body: { mapping: { ...fields, ...after } },
      });
      expect(await undo(feed, again.id)).toMatchObject({ status: "succeeded" });
      expect(await absent()).toEqual(expected);
    },
  );

  it("restores a person whom the run changed and a later approval deactivated to the state before both", async () => {
    const w = await world();
    const feed = await Feed.open(w, { limits: { deactivations: 0, deactivationPercent: 0 } });
    await feed.upload(fileOf([1]));
    const run = await feed.upload(fileOf([1], "inactive").replace("Person", "New name"));
    expect(run).toMatchObject({ status: "held", counts: { updated: 1 } });
    expect((await ask(feed, run.id)).json()["detail"]).toContain("Approve or cancel it first");
    await feed.post(`/runs/${run.id}/approve`, {}, await w.key("connectors:approve"));
    await feed.work();
    expect(await people(w)).toMatchObject([{ displayName: "New name 1", status: "inactive" }]);
    expect(await undo(feed, run.id)).toMatchObject({ counts: { updated: 1, skipped: 0 } });
    expect(await people(w)).toMatchObject([{ displayName: "Person 1", status: "active" }]);
  });

  it("keeps what somebody else wrote while the run waited for approval, and undoes only the deactivation", async () => {
    const w = await world();
    const feed = await Feed.open(w, { limits: { deactivations: 0, deactivationPercent: 0 } });
    await feed.upload(fileOf([1]));
    const run = await feed.upload(fileOf([1], "inactive").replace("Person", "New name"));
    const [person] = await people(w);
    await call("PATCH", `/v1/subjects/${person!.id}`, { token: feed.token, body: { displayName: "By hand" } });
    await feed.post(`/runs/${run.id}/approve`, {}, await w.key("connectors:approve"));
    await feed.work();
    expect(await people(w)).toMatchObject([{ displayName: "By hand", status: "inactive" }]);
    expect(await undo(feed, run.id)).toMatchObject({ counts: { updated: 1, skipped: 0 } });
    expect(await people(w)).toMatchObject([{ displayName: "By hand", status: "active" }]);
  });

  it("that waits when the 7 days end is still carried out", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const run = await feed.upload(fileOf([1]));
    expect((await ask(feed, run.id)).status).toBe(202);
    await purgeExpired(new Date(Date.now() + 8 * 86_400_000), new Date(Date.now() + 86_400_000));
    await feed.work();
    expect(await people(w)).toEqual([]);
  });

  it("is refused after 7 days, when its data is deleted", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const run = await feed.upload(`${fileOf([1])}p-2,Two,no mail,,\n`);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const kept = () =>
      sql(
        `SELECT 1 FROM connector_changes WHERE org_id = $1 UNION ALL SELECT 1 FROM connector_rejected_rows WHERE org_id = $1`,
        [w.orgId],
      );
    await purgeExpired(inDays(6.9), inDays(1));
    expect(await kept()).toHaveLength(2);
    await purgeExpired(inDays(7.1), inDays(1));
    expect(await kept()).toEqual([]);
    const answer = await ask(feed, run.id);
    expect([answer.status, answer.json()["detail"]]).toEqual([
      409,
      expect.stringContaining("7 days, and they are over"),
    ]);
  });

  it("requires connectors:approve", async () => {
    const feed = await Feed.open(await world());
    const run = await feed.upload(fileOf([1]));
    const token = await feed.world.key("connectors:run", "connectors:read");
    expect((await feed.post(`/runs/${run.id}/undo`, {}, token)).status).toBe(403);
  });
});

describe("the rejected rows of a run", () => {
  const rejected = async (feed: Feed, id: string) => (await feed.get(`/runs/${id}/rejected/export`)).text;

  it("are exported with their columns, their errors and without formulas, and can be corrected and sent alone", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const run = await feed.upload(`${fileOf([1, 2])}p-3,=cmd(),no mail,active,Law\np-1,Again,,,\np-4,Four\n`);
    const file = await rejected(feed, run.id);
    expect(file.split("\r\n").slice(0, 4)).toEqual([
      "\ufeffLine,What is wrong,id,name,mail,status,dept",
      expect.stringMatching(/^4,.*mail: .*,p-3,'=cmd\(\),no mail,active,Law$/),
      expect.stringMatching(/^6,.*,p-4,Four$/),
      "",
    ]);
    const corrected = `Line,What is wrong,id,name,mail,status,dept\r\n4,,p-3,Three,,active,Law\r\n`;
    const form = new FormData();
    form.set("mode", "delta");
    form.set("file", new Blob([corrected]), "corrected.csv");
    const body = new Response(form);
    const answer = await call("POST", `/v1/connectors/${feed.id}/upload`, {
      token: feed.token,
      raw: await body.arrayBuffer(),
      headers: { "content-type": body.headers.get("content-type")! },
    });
    await feed.work();
    expect(await feed.run(answer.json()["id"] as string)).toMatchObject({ counts: { created: 1, deactivated: 0 } });
    expect((await people(w)).map(({ externalId, status }) => [externalId, status])).toEqual([
      ["p-1", "active"],
      ["p-2", "active"],
      ["p-3", "active"],
    ]);
    // The next full file is not held for lacking the added columns of the corrected file.
    expect(await feed.upload(fileOf([1, 3]))).toMatchObject({ hold: null, counts: { deactivated: 1 } });
  });

  it("lists only some people, also if it is sent to a connector of full files without saying so", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const run = await feed.upload(`${fileOf([1, 2])}p-3,Three,no mail,active,Law\n`);
    const corrected = (await rejected(feed, run.id)).replace("no mail", "p3@example.edu");
    const told = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      body: { connectorId: feed.id, content: corrected },
    });
    expect(told.json()["counts"]).toMatchObject({ created: 1, deactivated: 0, held: 0 });
    expect(await feed.upload(corrected)).toMatchObject({
      status: "succeeded",
      counts: { created: 1, deactivated: 0, held: 0 },
    });
    expect((await people(w)).map(({ status }) => status)).toEqual(["active", "active", "active"]);
    // It counts as no full file either, with which the next one would be compared.
    expect(await feed.upload(fileOf([1, 3]))).toMatchObject({ hold: null, counts: { deactivated: 1 } });
  });

  /** Uploads a file of rejected rows as the console does. */
  const sendBack = async (feed: Feed, text: string | Uint8Array<ArrayBuffer>): Promise<RunView> => {
    const form = new FormData();
    form.set("mode", "delta");
    form.set("file", new Blob([text]), "corrected.csv");
    const body = new Response(form);
    const answer = await call("POST", `/v1/connectors/${feed.id}/upload`, {
      token: feed.token,
      raw: await body.arrayBuffer(),
      headers: { "content-type": body.headers.get("content-type")! },
    });
    await feed.work();
    return feed.run(answer.json()["id"] as string);
  };

  it.each<[{ encoding?: string; delimiter?: string }, (text: string) => string]>([
    [{}, (text) => text],
    [{ encoding: "windows-1252", delimiter: ";" }, (text) => text],
    // As saved by a spreadsheet program that separates columns by semicolons.
    [{ delimiter: "," }, (text) => text.replaceAll(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ";")],
  ])("are restored exactly when they are sent again, with the settings %j", async (settings, saved) => {
    const w = await world();
    const feed = await Feed.open(w, {
      mapping: { externalId: "@id", status: "status", attributes: { note: "=note" } },
      settings,
    });
    const unit = fc.constantFrom("=", "+", "-", "@", "'", '"', ";", "\t", "\r", "\n", " ", ",", "4", "ü");
    const notes = ["@emp", "+49 30 1", "-5", "'=1", "a\n-b", ...fc.sample(fc.string({ unit, maxLength: 9 }), 95)];
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
    const separator = settings.delimiter ?? ",";
    const lines = [
      ["@id", "status", "=note", "Line"],
      ...notes.map((note, n) => [`@emp-${n}`, "gone", note, "100"]),
    ].map((cells) => `${cells.map(quoted).join(separator)}\r\n`);
    const bytes = Buffer.from(lines.join(""), settings.encoding ? "latin1" : "utf8");
    const run = await feed.upload(bytes);
    expect(run.counts).toMatchObject({ rejected: 100 });
    const first = await rejected(feed, run.id);
    // Sent without corrections, the same rows are rejected again.
    const again = await sendBack(feed, Buffer.from(saved(first)));
    expect(again).toMatchObject({ status: "succeeded", counts: { rows: 100, rejected: 100 } });
    const rows = (text: string) => text.replaceAll(/^(\d+),.*?(?=,'@emp-)/gm, "");
    expect(rows(await rejected(feed, again.id))).toBe(rows(first));
    const corrected = await sendBack(feed, Buffer.from(saved(first).replaceAll(/([,;])gone(?=[,;])/g, "$1active")));
    expect(corrected).toMatchObject({ status: "succeeded", counts: { created: 100 } });
    const found = new Map((await people(w)).map(({ externalId, attributes }) => [externalId, attributes["note"]]));
    for (const [n, note] of notes.entries()) expect(found.get(`@emp-${n}`)).toEqual(note.trim() || undefined);
  });

  it("are exported with all cells even if they were rejected only in the apply phase", async () => {
    const w = await world();
    const feed = await Feed.open(w, { adopt: "never" });
    await upsertSubject(w.ctx, { externalId: "p-2", displayName: "Of somebody else" });
    const run = await feed.upload(`${fileOf([1])}p-2,Two,,active,Law\n`);
    const lines = (await rejected(feed, run.id)).split("\r\n");
    expect(lines[1]).toMatch(/^3,.*,p-2,Two,,active,Law$/);
  });

  it("overwrite nobody whom the same file wrote, when the exported file is corrected and sent back", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    const run = await feed.upload(
      [
        "id,name,mail,status,dept",
        "q-1,Right Name,,active,Law",
        "q-1,Wrong Name,,active,Law",
        "q-2,Right Two,,active,Law",
        "q-2,Wrong Two,no mail,inactive,Law",
        "q-3,Right Three,no mail,active,Law",
        "q-3,Wrong Three,,active,Law",
        "",
      ].join("\n"),
    );
    expect(run).toMatchObject({ counts: { rows: 6, created: 2, rejected: 4 } });
    const repeats = (await feed.errors(run.id)).filter(({ code }) => code === "duplicate_external_id");
    expect(repeats.map(({ line }) => line)).toEqual([3, 5, 7]);
    const corrected = (await rejected(feed, run.id)).replaceAll("no mail", "");
    expect(await sendBack(feed, corrected)).toMatchObject({ counts: { rows: 1, created: 1, updated: 0, rejected: 0 } });
    expect((await people(w)).map(({ displayName, status }) => [displayName, status])).toEqual([
      ["Right Name", "active"],
      ["Right Two", "active"],
      ["Right Three", "active"],
    ]);
  });

  it("do not contain a row that may be cut off, which would be accepted as it is when it is sent back", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    await feed.upload(fileOf([1, 2]));
    const run = await feed.upload(`${fileOf([1])}p-2,Perso`);
    expect(run).toMatchObject({ counts: { rejected: 1 } });
    expect((await rejected(feed, run.id)).split("\r\n")).toHaveLength(2);
  });

  it("are deleted when their person is erased", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const run = await feed.upload(`${fileOf([1])}p-2,Two,P1@example.edu,gone,x\np-3,Three,no mail,,y\n`);
    const [person] = await people(w);
    await eraseSubject(w.ctx, { id: person!.id, reason: "Asked" });
    const file = await rejected(feed, run.id);
    expect(file).not.toContain("P1@example.edu");
    expect(file).toContain("Three");
  });
});
