import { afterEach, describe, expect, it } from "vitest";
import { sql } from "@/server/core/db";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import type { SubjectView } from "@/server/subjects/view";
import { fileOf, numbers } from "../testing/feed";
import { fetchNext } from "../run/fetch";
import { fileAway } from "../run/file-away";
import { runConnectorStep } from "../run/step";
import { Fetched } from "./testing/fetched";
import { Office } from "./testing/office";

let w: World;
let fetched: Fetched;
let office: Office;
afterEach(() => office?.close());

const open = async (settings: object = {}, body: object = {}) => {
  w = await world();
  fetched = await Fetched.open(w, settings, body);
  office = fetched.office;
};
const active = async () =>
  (await call("GET", "/v1/subjects?limit=100&status=active", { token: fetched.token }))
    .json<{ data: SubjectView[] }>()
    .data.map(({ externalId }) => externalId)
    .sort();

describe("a fetch by SFTP", () => {
  it("fetches a file, moves it to archive with a report, and recognises the same file later", async () => {
    await open();
    office.put("/out/people.csv", fileOf(numbers(1, 12)));
    const run = await fetched.sync();
    expect(run).toMatchObject({
      status: "succeeded",
      counts: { created: 12 },
      file: { name: "people.csv", size: fileOf(numbers(1, 12)).length, problem: null },
    });
    expect(run.file!.movedTo).toMatch(/^archive\/\d{8}-\d{6}-people\.csv$/);
    expect(office.files()).toEqual([`/out/${run.file!.movedTo}`, `/out/${run.file!.movedTo}.report.txt`]);
    expect(office.text(`/out/${run.file!.movedTo}.report.txt`)).toContain(
      "Result: applied.\r\n\r\nRows: 12\r\nCreated: 12",
    );
    expect(await active()).toHaveLength(12);
    office.put("/out/people.csv", fileOf(numbers(1, 12)), 1_790_000_500);
    expect(await fetched.sync()).toMatchObject({ identical: true, counts: { created: 0, unchanged: 12 } });
  });

  it("moves a file that cannot be applied to error, with a report that says why", async () => {
    await open();
    office.put("/out/people.csv", "nothing,fits\n1,2\n");
    const run = await fetched.sync();
    expect(run).toMatchObject({ status: "failed", errorSummary: { code: "missing_column" } });
    expect(run.file!.movedTo).toMatch(/^error\//);
    expect(office.text(`/out/${run.file!.movedTo}.report.txt`)).toContain("Result: failed. The file has no column");
  });

  it("ignores unfinished and hidden files, links, folders, and files that do not match the pattern", async () => {
    await open();
    for (const name of [".hidden.csv", "a.csv.part", "b.tmp", "c.csv.filepart", "d.xlsx", "e\u202e.csv"])
      office.put(`/out/${name}`, fileOf([1]));
    office.link("/out/link.csv");
    office.entries.set("/out/folder.csv", { kind: "folder", data: Buffer.alloc(0), time: 0 });
    const before = office.files();
    expect(await fetched.sync()).toMatchObject({ status: "succeeded", file: null, counts: { rows: 0 } });
    expect(office.files()).toEqual(before);
  });

  it("fails with an explanation if the path is a folder without / at its end", async () => {
    await open({ path: "/out/in" });
    office.entries.set("/out/in", { kind: "folder", data: Buffer.alloc(0), time: 0 });
    const words = '"/out/in" is a folder. End the path with / to mean its files: "/out/in/".';
    expect(await fetched.sync()).toMatchObject({
      status: "failed",
      errorSummary: { code: "is_folder", message: words },
    });
  });

  it("skips a file that grows between two listings, and fetches it once it no longer changes", async () => {
    await open();
    office.put("/out/people.csv", fileOf([1]));
    fetched.between = () => office.put("/out/people.csv", fileOf([1, 2]));
    expect(await fetched.sync()).toMatchObject({ status: "succeeded", file: null });
    fetched.between = () => undefined;
    expect(await fetched.sync()).toMatchObject({ file: { name: "people.csv" }, counts: { created: 2 } });
  });

  it("applies nothing of a file that changes while it is read", async () => {
    await open();
    office.put("/out/people.csv", fileOf([1]));
    office.before = (what) => {
      if (what === "read") office.put("/out/people.csv", fileOf([1, 2]), 1_790_000_001);
    };
    expect(await fetched.sync()).toMatchObject({
      status: "failed",
      errorSummary: { code: "file_changed" },
      file: null,
    });
    expect(await active()).toEqual([]);
    expect(office.files()).toEqual(["/out/people.csv"]);
  });

  it("fetches several files one after another, oldest first", async () => {
    await open({}, { mode: "delta", missing: "keep" });
    office.put("/out/b.csv", fileOf([2]), 1_790_000_100);
    office.put("/out/a.csv", fileOf([3]), 1_790_000_200);
    office.put("/out/c.csv", fileOf([1]), 1_790_000_000);
    await fetched.sync();
    for (let n = 1; n < 3; n++) {
      const [next] = await fetched.runs();
      expect(await fetched.finish(next!.id)).toMatchObject({ status: "succeeded", trigger: "sync" });
    }
    expect((await fetched.runs()).map(({ file }) => file!.name)).toEqual(["a.csv", "b.csv", "c.csv"]);
    expect(await active()).toHaveLength(3);
  });

  it("moves a file once, even if the process was killed after the move", async () => {
    await open();
    office.put("/out/people.csv", fileOf([1]));
    const { id } = (await fetched.post("/sync")).json<{ id: string }>();
    while ((await fetched.run(id)).status !== "succeeded") {
      await fetchNext(new Date(), { pause: async () => undefined });
      await runConnectorStep(new Date());
    }
    const [before] = await sql<{ filing_at: Date; origin: object }>(
      `SELECT filing_at, origin FROM connector_runs WHERE org_id = $1`,
      [w.orgId],
    );
    while (await fileAway(new Date()));
    // The state of a process that was killed after moving the file and before recording it.
    await sql(`UPDATE connector_runs SET filing_at = $2, origin = $3 WHERE org_id = $1`, [
      w.orgId,
      before!.filing_at,
      before!.origin,
    ]);
    office.put("/out/people.csv", fileOf([1, 2]), 1_790_000_700);
    const files = office.files();
    while (await fileAway(new Date()));
    expect(office.files()).toEqual(files);
    expect((await fetched.run(id)).file!.movedTo).toMatch(/^archive\//);
    expect(office.log.filter((line) => line.startsWith("rename"))).toHaveLength(1);
  });

  it("repeats the fetch of a killed process, and applies the file once", async () => {
    await open();
    office.put("/out/people.csv", fileOf([1]));
    const { id } = (await fetched.post("/sync")).json<{ id: string }>();
    // The claim of a process that was killed.
    await sql(
      `UPDATE connector_runs SET status = 'running', attempts = 1, claim_id = uuidv7(), lease_until = now() + interval '1 minute' WHERE org_id = $1`,
      [w.orgId],
    );
    while (await fetchNext(new Date(), { pause: async () => undefined }));
    expect(office.log).toEqual([]);
    await sql(`UPDATE connector_runs SET lease_until = NULL WHERE org_id = $1`, [w.orgId]);
    expect(await fetched.finish(id)).toMatchObject({ status: "succeeded", counts: { created: 1 } });
    expect(await fetched.runs()).toHaveLength(1);
  });

  it("does not fetch a file again that it could not move, and reports the problem", async () => {
    await open();
    office.put("/out/people.csv", fileOf([1]));
    office.before = (what) => {
      if (what === "mkdir" || what === "rename") throw new Error("read-only");
    };
    let run = await fetched.sync();
    for (let n = 0; n < 5; n++) {
      await sql(
        `UPDATE connector_runs SET filing_at = now() - interval '1 second' WHERE org_id = $1 AND filing_at IS NOT NULL`,
        [w.orgId],
      );
      while (await fileAway(new Date()));
    }
    run = await fetched.run(run.id);
    expect(run).toMatchObject({ status: "succeeded", file: { movedTo: null } });
    expect(run.file!.problem).toMatch(/did not allow to move the file/);
    expect(await fetched.sync()).toMatchObject({ status: "succeeded", file: null });
    office.put("/out/people.csv", fileOf([1, 2]), 1_790_000_900);
    expect(await fetched.sync()).toMatchObject({ file: { name: "people.csv" }, counts: { created: 1 } });
  });
});

describe("the key of a server", () => {
  it("is returned by a test of the source, which sends no credentials before the key is approved", async () => {
    w = await world();
    office = await Office.open();
    const token = await w.key();
    const settings = Fetched.settings(office);
    const first = await Fetched.test(token, { settings, secret: office.password });
    expect(first).toMatchObject({ ok: false, error: { code: "host_key_unknown" }, hostKey: { type: "ssh-ed25519" } });
    expect(first.hostKey!.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/);
    expect(office.signIns).toEqual([]);
    office.put("/out/people.csv", fileOf([1, 2]));
    const second = await Fetched.test(token, {
      settings: { ...settings, hostKey: first.hostKey },
      secret: office.password,
    });
    expect(second).toMatchObject({
      ok: true,
      files: ["people.csv"],
      columns: ["id", "name", "mail", "status", "dept"],
    });
    expect(second.rows).toHaveLength(2);
  });

  it("must be approved before anything is fetched", async () => {
    await open({ hostKey: null });
    office.put("/out/people.csv", fileOf([1]));
    expect(await fetched.sync()).toMatchObject({ status: "failed", errorSummary: { code: "host_key_unknown" } });
    expect(office.signIns).toEqual([]);
  });

  it("fails the run if it has changed, and no secret is sent", async () => {
    await open();
    office.put("/out/people.csv", fileOf([1]));
    await office.changeKey();
    await fetched.moveTo(office.port);
    const run = await fetched.sync();
    expect(run).toMatchObject({ status: "failed", errorSummary: { code: "host_key_changed" } });
    expect(run.errorSummary!.message).toMatch(/approve the new fingerprint: SHA256:/);
    expect(office.signIns).toEqual([]);
  });
});

describe("the settings of a fetch", () => {
  it.each([
    ["a private address", { host: "10.0.0.1" }, "/settings/host"],
    ["an address in another spelling", { host: "0x0a000001" }, "/settings/host"],
    ["a host with a path", { host: "example.edu/x" }, "/settings/host"],
    ["the port of a mail server", { port: 25 }, "/settings/port"],
    ["a path that climbs", { path: "/out/../../etc/passwd" }, "/settings/path"],
    ["a pattern for folders", { path: "/*/people.csv" }, "/settings/path"],
    ["a path of unfinished files", { path: "/out/.part" }, "/settings/path"],
    [
      "a fingerprint of another form",
      { hostKey: { type: "ssh-ed25519", fingerprint: "MD5:00" } },
      "/settings/hostKey/fingerprint",
    ],
  ])("refuse %s", async (_, settings, pointer) => {
    await open();
    const answer = await fetched.patch({ settings: { ...Fetched.settings(office), ...settings } });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      pointer,
    ]);
  });

  it("bind the secret to its server, never return it, and refuse invalid keys", async () => {
    await open();
    const other = await fetched.patch({ settings: Fetched.settings(office, { host: "sftp.example.edu" }) });
    expect(other.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer).toBe("/secret");
    const key = await fetched.patch({ settings: Fetched.settings(office, { auth: "key" }), secret: "no key" });
    expect(key.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer).toBe("/secret");
    expect((await call("GET", `/v1/connectors/${fetched.id}`, { token: fetched.token })).text).not.toContain(
      office.password,
    );
    office.password = "another one";
    expect(await fetched.sync()).toMatchObject({ status: "failed", errorSummary: { code: "unauthorized" } });
  });
});
