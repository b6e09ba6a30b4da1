import { beforeAll, describe, expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { readId } from "@/server/core/ids";
import { issueCredential } from "./issue";

const fields = [
  { key: "awarded", binding: "credential.data.awardedOn", format: "date" as const },
  { key: "defence", binding: "credential.data.defence.at", format: "datetime" as const },
  { key: "credits", binding: "attributes.credits", format: "number" as const },
  { key: "note", binding: "credential.data.note", format: "uppercase" as const },
];

let w: World;
let token: string;
let templateId: string;
let people = 0;
const subject = () => ({ externalId: `formats-${++people}`, displayName: "Ada" });
const aDay = { awardedOn: "2026-02-28" };

beforeAll(async () => {
  w = await world();
  token = await w.key();
  templateId = (await publishedTemplate(w.ctx, { design: { front: { fields } } })).id;
});

const wrong: [what: string, data: Record<string, unknown>, pointer: string, code: string][] = [
  ["31 February", { awardedOn: "2026-02-31" }, "/data/awardedOn", "invalid_date"],
  ["a date in another order", { awardedOn: "28.02.2026" }, "/data/awardedOn", "invalid_date"],
  ["a number as a date", { awardedOn: 20260228 }, "/data/awardedOn", "invalid_date"],
  ["an empty date", { awardedOn: "" }, "/data/awardedOn", "invalid_date"],
  ["one wrong date of two", { awardedOn: ["2026-02-28", "2026-02-30"] }, "/data/awardedOn/1", "invalid_date"],
  ["25 o'clock", { defence: { at: "2026-02-28T25:00:00Z" } }, "/data/defence/at", "invalid_datetime"],
  ["the year 0", { awardedOn: "0000-01-01" }, "/data/awardedOn", "invalid_date"],
  ["24 o'clock", { awardedOn: "2026-02-28T24:00:00Z" }, "/data/awardedOn", "invalid_date"],
  ["a hexadecimal number", { credits: "0x10" }, "/data/credits", "invalid_number"],
  ["a text with an exponent", { credits: "1e3" }, "/data/credits", "invalid_number"],
  ["a number between spaces", { credits: " 1 " }, "/data/credits", "invalid_number"],
  ["a word as a number", { credits: "many" }, "/data/credits", "invalid_number"],
  ["true as a number", { credits: true }, "/data/credits", "invalid_number"],
];

describe("data that does not fit the format of its field", () => {
  it.each(wrong)(
    "%s is refused when issuing, reissuing, updating and in a bulk request",
    async (_, data, pointer, code) => {
      const { id } = await issued(w.ctx, templateId, { data: aDay });
      const bulk = await call("POST", "/v1/credentials/bulk", {
        token,
        body: { action: "issue", items: [{ subject: subject(), templateId, data }] },
      });
      const { error } = bulk.json<{ data: [{ error: { status: number; errors: object[] } }] }>().data[0];
      const answers = [
        await call("POST", "/v1/credentials", { token, body: { subject: subject(), templateId, data } }),
        await call("POST", `/v1/credentials/${id}/reissue`, { token, body: { data } }),
        await call("PATCH", `/v1/credentials/${id}`, { token, body: { data } }),
      ].map((answer) => answer.json<{ status: number; errors: object[] }>());
      for (const problem of [...answers, error]) {
        expect(problem.status).toBe(400);
        expect(problem.errors).toEqual([{ pointer, code, message: expect.stringMatching(/must be a .* such as \S+/) }]);
      }
      const [{ n }] = (await sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM credentials WHERE org_id = $1 AND data @> $2`,
        [w.orgId, data],
      )) as [{ n: number }];
      expect(n).toBe(0);
    },
  );

  it("fails only its own row of a bulk request", async () => {
    const rows = [{ awardedOn: "2026-02-31" }, aDay].map((data) => ({ subject: subject(), templateId, data }));
    const answer = await call("POST", "/v1/credentials/bulk", { token, body: { action: "issue", items: rows } });
    expect(answer.json()).toMatchObject({ succeeded: 1, failed: 1, data: [{ ok: false }, { ok: true }] });
  });
});

describe("data that fits", () => {
  it.each([
    ["a day, an instant and numbers", { ...aDay, defence: { at: "2026-02-28T09:30:00+01:00" }, credits: 12.5 }],
    ["an instant as a date, a day as a time, a number as text", { awardedOn: "2026-02-28T00:00:00Z", credits: "12" }],
    ["a number with more digits than a double", { ...aDay, credits: "12345678901234567.0123456789" }],
    ["several", { awardedOn: ["2026-02-28", "2026-03-01"], credits: [1, 2] }],
    ["nothing, null and other fields", { awardedOn: null, note: 7, other: "2026-02-31" }],
  ])("%s is stored as it was sent", async (_, data) => {
    const { credential } = await issueCredential(w.ctx, { subject: subject(), templateId, data });
    expect(credential.data).toEqual(data);
  });

  it("can be added to data whose wrong value is older than the format, and reissued with it", async () => {
    const { id } = await issued(w.ctx, templateId, { data: aDay });
    await sql(`UPDATE credentials SET data = '{"awardedOn": "2026-02-31"}' WHERE org_id = $1 AND id = $2`, [
      w.orgId,
      readId("crd", id),
    ]);
    const changed = await call("PATCH", `/v1/credentials/${id}`, { token, body: { data: { note: "late" } } });
    expect(changed.json()).toMatchObject({ data: { awardedOn: "2026-02-31", note: "late" } });
    const again = await call("POST", `/v1/credentials/${id}/reissue`, { token, body: {} });
    expect(again.json()).toMatchObject({ data: { awardedOn: "2026-02-31", note: "late" } });
  });
});
