import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { listSubjects } from "@/server/subjects/list";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { sheetRow, workbookParts, zipOf } from "../testing/archives";
import { Feed, fileOf } from "../testing/feed";

beforeAll(ownDatabase);

const people = async ({ ctx }: World) => (await listSubjects(ctx, { sort: "externalId", limit: 100 })).data;

const workbook = (ids: number[]) =>
  zipOf(
    workbookParts(
      sheetRow(1, ["id", "name", "mail", "status", "dept"]) +
        ids.map((n) => sheetRow(n + 10, [`p-${n}`, `Person ${n}`, n === 3 ? "no mail" : "", "", "Physics"])).join(""),
    ),
  );

describe("a file in another format than CSV", () => {
  it("is applied like the same people in CSV, with its own row numbers, and recognised when it is sent again", async () => {
    const w = await world();
    const feed = await Feed.open(w);
    const file = await workbook([1, 2, 3]);
    const run = await feed.upload(file);
    expect(run).toMatchObject({
      status: "succeeded",
      counts: { rows: 3, created: 2, rejected: 1 },
      errorSummary: null,
    });
    expect(await feed.errors(run.id)).toMatchObject([{ line: 13, column: "mail" }]);
    expect(await people(w)).toMatchObject([{ externalId: "p-1", displayName: "Person 1" }, { externalId: "p-2" }]);
    expect(await feed.upload(file)).toMatchObject({ identical: true });
    const lines = [1, 2].map((n) =>
      JSON.stringify({ id: `p-${n}`, name: `Person ${n}`, mail: "", status: "", dept: "Physics" }),
    );
    for (const same of [
      lines.join("\n"),
      gzipSync(`${lines.join("\n")}\n`),
      await zipOf({ "a.csv": fileOf([1, 2]).replaceAll(/p\d@[\w.]+,active/g, ",") }),
    ])
      expect(await feed.upload(same)).toMatchObject({
        identical: false,
        status: "succeeded",
        counts: { created: 0, updated: 0, unchanged: 2 },
      });
  });

  it("is previewed as a run would read it", async () => {
    const feed = await Feed.open(await world());
    const form = new FormData();
    form.set("connectorId", feed.id);
    form.set("file", new Blob([new Uint8Array(await workbook([1, 3]))]), "people.xlsx");
    const body = new Response(form);
    const answer = await call("POST", "/v1/connectors/preview", {
      token: feed.token,
      raw: await body.arrayBuffer(),
      headers: { "content-type": body.headers.get("content-type")! },
    });
    expect(answer.json()).toMatchObject({
      counts: { created: 1, rejected: 1 },
      data: [
        { line: 11, action: "create" },
        { line: 13, action: "reject" },
      ],
    });
  });

  it("fails the run if it cannot be unpacked, changes nobody and leaves no rows", async () => {
    const w = await world();
    const feed = await Feed.open(w, { missing: "deactivate" });
    await feed.upload(fileOf([1, 2, 3]));
    for (const [file, code] of [
      [await zipOf({ "a.csv": "x", "b.csv": "y" }), "unsupported_file"],
      [(await workbook([1])).subarray(0, 400), "broken_archive"],
      ['{"id":"p-1","name":"Ada"}\n{"id":', "invalid_json"],
    ] as const)
      expect(await feed.upload(file)).toMatchObject({
        status: "failed",
        errorSummary: { code },
        counts: { deactivated: 0 },
      });
    expect((await people(w)).map(({ status }) => status)).toEqual(["active", "active", "active"]);
    expect(await sql(`SELECT 1 FROM connector_rows WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });

  it("can be cancelled before it is unpacked, and fails after three processes died while unpacking it", async () => {
    const feed = await Feed.open(await world());
    const first = await feed.queue(await workbook([1]));
    await feed.post(`/runs/${first.id}/cancel`);
    await feed.work();
    expect(await feed.run(first.id)).toMatchObject({ status: "cancelled", counts: { rows: 0 } });
    const second = await feed.queue(await workbook([1]));
    await sql(`UPDATE connector_runs SET phase = 'unpacking', attempts = 3 WHERE org_id = $1 AND status = 'queued'`, [
      feed.world.orgId,
    ]);
    await feed.work();
    expect(await feed.run(second.id)).toMatchObject({ status: "failed", errorSummary: { code: "step_failed" } });
  });
});

const manifest = (version: string, files: Record<string, string>) =>
  [
    "propertyName,value",
    "manifest.version,1.0",
    `oneroster.version,${version}`,
    ...Object.entries(files).map(([name, extent]) => `file.${name},${extent}`),
    "",
  ].join("\r\n");

const orgs = "sourcedId,status,dateLastModified,name,type\no1,,,North School,school\no2,,,South School,school\n";
const classes = "sourcedId,status,dateLastModified,title\nc1,,,Physics 1\nc2,,,Latin\nc3,,,Art\n";
const enrollments =
  "sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role\ne1,,,c2,o1,u1,student\ne2,,,c1,o1,u1,student\ne3,tobedeleted,,c3,o1,u1,student\n";

describe("an archive of OneRoster", () => {
  const fields = {
    externalId: "sourcedId",
    displayName: { transform: "template", template: "{givenName} {familyName}" },
    status: "accountStatus",
    attributes: { role: "role", school: "orgNames", classes: "classTitles" },
  };

  it("1.1 provides users with role, schools, classes and status", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: fields });
    const users =
      'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,givenName,familyName,password\nu1,,,true,"o2,o1",student,ada,Ada,Lovelace,secret\nu2,,,false,o1,teacher,bo,Bo,Bell,secret\n';
    const extents = { users: "bulk", orgs: "bulk", classes: "bulk", enrollments: "bulk", roles: "absent" };
    const archive = await zipOf({
      "manifest.csv": manifest("1.1", extents),
      "users.csv": users,
      "orgs.csv": orgs,
      "classes.csv": classes,
      "enrollments.csv": enrollments,
    });
    expect(await feed.upload(archive)).toMatchObject({ status: "succeeded", counts: { created: 2 } });
    expect(await people(w)).toMatchObject([
      {
        externalId: "u1",
        displayName: "Ada Lovelace",
        status: "active",
        attributes: { role: "student", school: "North School; South School", classes: "Latin; Physics 1" },
      },
      { externalId: "u2", status: "inactive", attributes: { role: "teacher", school: "North School" } },
    ]);
  });

  it("1.2 provides the primary role and the schools from roles.csv", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mapping: fields });
    const users =
      "sourcedId,status,dateLastModified,enabledUser,username,givenName,familyName\nu1,active,2026-01-01,true,ada,Ada,Lovelace\n";
    const roles =
      "sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId\nr1,,,u1,secondary,aide,,,o1\nr2,,,u1,primary,teacher,,,o2\n";
    const extents = { users: "bulk", roles: "bulk", orgs: "bulk", classes: "bulk", enrollments: "bulk" };
    const archive = await zipOf({
      "out/manifest.csv": manifest("1.2", extents),
      "out/users.csv": users,
      "out/roles.csv": roles,
      "out/orgs.csv": orgs,
      "out/classes.csv": classes,
      "out/enrollments.csv": enrollments,
    });
    await feed.upload(archive);
    expect(await people(w)).toMatchObject([{ attributes: { role: "teacher", school: "North School; South School" } }]);
  });

  it.each([
    ["changes alone, for a connector whose files list everybody", manifest("1.1", { users: "delta" }), "changes_only"],
    ["no users", manifest("1.1", { users: "absent" }), "no_rows"],
    ["another version", manifest("2.0", { users: "bulk" }), "unsupported_file"],
    [
      "a manifest that names a file which is not there",
      manifest("1.1", { users: "bulk", orgs: "bulk" }),
      "broken_archive",
    ],
  ])("is refused if it has %s", async (_, text, code) => {
    const feed = await Feed.open(await world(), { mapping: { externalId: "sourcedId" } });
    const run = await feed.upload(await zipOf({ "manifest.csv": text, "users.csv": "sourcedId\nu1\n" }));
    expect(run).toMatchObject({ status: "failed", errorSummary: { code } });
  });

  it("of changes deactivates the users that it marks as deleted, for a connector whose files list changes", async () => {
    const w = await world();
    const feed = await Feed.open(w, { mode: "delta", mapping: { externalId: "sourcedId", status: "accountStatus" } });
    const sent = (status: string) =>
      zipOf({ "manifest.csv": manifest("1.2", { users: "delta" }), "users.csv": `sourcedId,status\nu1,${status}\n` });
    await feed.upload(await sent("active"));
    expect(await feed.upload(await sent("tobedeleted"))).toMatchObject({ counts: { deactivated: 1 } });
  });
});
