import { afterAll, expect, it, vi } from "vitest";
import { zipComment } from "@/components/console/zip-comment";
import { readId, uuidOf } from "@/server/core/ids";
import { revokeCredential } from "@/server/credentials/revoke";
import { stopDrawing } from "@/server/drawing/draw";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { degree } from "@/server/testing/academic";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { archiveCredentials } from "./archive";
import * as archived from "./archived-credential";
import { unzipped } from "./testing/unzipped";

afterAll(stopDrawing);

const archive = async (w: World, body: object) =>
  call("POST", "/v1/credentials/archive", { token: await w.key("credentials:read", "subjects:read"), body });

const indexOf = (files: Map<string, Buffer>) =>
  files
    .get("index.csv")!
    .toString()
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));

it("contains certificate, badge and document of each academic credential, and an index of all", async () => {
  const w = await world();
  const { template, credential } = await degree(w.ctx, "Master of Science", {
    subject: { externalId: "s-1", displayName: "../Zoë =Ünal: CON*" },
  });
  const card = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
  const answer = await archive(w, {});
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
    200,
    "application/zip",
    expect.stringMatching(/^attachment; filename="credentials-\d{4}-\d\d-\d\d\.zip"$/),
  ]);
  const files = await unzipped(answer.bytes);
  expect(await zipComment(new Blob([answer.bytes as Uint8Array<ArrayBuffer>]))).toBe("");
  const name = `Zoë Ünal CON ${credential.code}`;
  expect([...files.keys()]).toEqual([`${name}.pdf`, `${name}.png`, `${name}.json`, "index.csv"]);
  expect(files.get(`${name}.pdf`)!.subarray(0, 5).toString()).toBe("%PDF-");
  const token = await w.key();
  const [png, json] = [
    await call("GET", `/v1/credentials/${credential.id}/badge.png`, { token }),
    await call("GET", `/v1/credentials/${credential.id}/credential.json`, { token }),
  ];
  expect(files.get(`${name}.png`)!.equals(Buffer.from(png.bytes))).toBe(true);
  expect(files.get(`${name}.json`)!.toString()).toBe(json.text);
  const [head, ...rows] = indexOf(files);
  expect(head![0]).toBe("\ufeffid");
  expect(rows.map((row) => [row[0], row[1], row[2], row[3]])).toEqual([
    [card.id, card.code, "active", "membership"],
    [credential.id, credential.code, "active", "academic"],
  ]);
  const only = await unzipped((await archive(w, { templateId: template.id, formats: ["json"] })).bytes);
  expect([...only.keys()]).toEqual([`${name}.json`, "index.csv"]);
});

it("contains exactly the credentials of the ids, and names those that were not found or were erased", async () => {
  const w = await world();
  const { template, credential } = await degree(w.ctx, "Master of Arts", { subject: { externalId: "s-1" } });
  const other = await issued(w.ctx, template.id, {
    subject: { externalId: "s-2", displayName: "=cmd|' /C calc'!A0" },
    data: { results: { grade: "B" }, creditsEarned: 120 },
  });
  await revokeCredential(w.ctx, { id: other.id, reason: "Withdrawn" });
  const foreign = await degree((await world()).ctx);
  const erased = await issued(w.ctx, template.id, { subject: { externalId: "s-3", displayName: "Ada" } });
  await eraseSubject(w.ctx, { id: erased.subjectId, reason: "Asked", includeAcademic: true });
  const ids = [other.id, foreign.credential.id, erased.id];
  const { bytes } = await archive(w, { ids, formats: ["json", "json"] });
  expect(await zipComment(new Blob([bytes as Uint8Array<ArrayBuffer>]))).toBe(
    '2 files are missing. The column "problem" of index.csv says why.',
  );
  const files = await unzipped(bytes);
  expect([...files.keys()].filter((name) => name.endsWith(".json"))).toEqual([`cmd C calc A0 ${other.code}.json`]);
  const rows = indexOf(files).slice(1);
  expect(rows.map(([id]) => id)).toEqual(ids);
  expect(rows[0]).toContain("revoked");
  // A spreadsheet shows the name and executes nothing.
  expect(rows[0]!.find((cell) => cell.includes("cmd|"))).toBe("'=cmd|' /C calc'!A0");
  expect(rows[1]!.at(-1)).toMatch(/There is no credential/);
  expect(rows[2]!.at(-1)).toContain("no longer given out");
  expect(files.get("index.csv")!.toString()).not.toContain(credential.code);
});

it("makes no file before the client reads, and no further one after the client disconnects", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { repeatable: true, kind: "academic" });
  for (let n = 0; n < 12; n++) await issued(w.ctx, template.id, { subject: { externalId: "s-1" } });
  const made = vi.spyOn(archived, "archivedCredential");
  const { chunks } = await archiveCredentials(w.ctx, { formats: ["png"] });
  expect(made).not.toHaveBeenCalled();
  const reading = chunks[Symbol.asyncIterator]();
  await reading.next();
  await reading.return!();
  const asked = made.mock.calls.length;
  expect(asked).toBeLessThan(6);
  await new Promise((resolve) => setImmediate(resolve));
  expect(made.mock.calls.length).toBeLessThanOrEqual(asked + 1);
});

it("takes the right to read people too, and refuses unknown fields and formats", async () => {
  const w = await world();
  const lacking = await call("POST", "/v1/credentials/archive", { token: await w.key("credentials:read"), body: {} });
  expect([lacking.status, lacking.json()["code"]]).toEqual([403, "insufficient_scope"]);
  for (const body of [{ formats: ["exe"] }, { formats: [] }, { ids: [] }, { nothing: 1 }])
    expect((await archive(w, body)).status).toBe(400);
});

it("refuses more than 10,000 credentials with their number, and accepts a part of them", async () => {
  const w = await world();
  const template = await publishedTemplate(w.ctx, { repeatable: true });
  const credential = await issued(w.ctx, template.id);
  await copyCredential(w, credential.id, 10_000);
  const refused = await archive(w, { formats: ["json"] });
  expect([refused.status, refused.json()["detail"]]).toEqual([
    400,
    "10,001 credentials match, and an archive has at most 10,000. Narrow it, for example by templateId, state or createdAfter and createdBefore.",
  ]);
  await revokeCredential(w.ctx, { id: credential.id, reason: "Withdrawn" });
  const part = await unzipped((await archive(w, { formats: ["json"], state: "revoked" })).bytes);
  expect(
    indexOf(part)
      .slice(1)
      .map(([id, , state]) => [id, state]),
  ).toEqual([[credential.id, "revoked"]]);
});

/** Adds copies of a credential, as rows. */
async function copyCredential(w: World, id: string, copies: number): Promise<void> {
  const columns = (
    await sql<{ columns: string }>(
      `SELECT string_agg(column_name, ', ') AS columns FROM information_schema.columns WHERE table_name = 'credentials' AND is_generated = 'NEVER'`,
    )
  )[0]!.columns;
  const copied = columns.split(", ").map((name) => `copy.${name}`);
  const tag = uuidOf(w.orgId).slice(-8);
  await sql(
    `INSERT INTO credentials (${columns}) SELECT ${copied.join(", ")} FROM credentials c, generate_series(1, $2::int) AS n,
     LATERAL jsonb_populate_record(c, jsonb_build_object('id', uuidv7(), 'code', $3::text || lpad(n::text, 8, '0'))) AS copy
     WHERE c.org_id = $1 AND c.id = $4`,
    [w.orgId, copies, tag, readId("crd", id)],
  );
}
