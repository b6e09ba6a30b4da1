import { claimed, claimLink } from "@/server/claims/testing/claims";
import { beforeAll, describe, expect, it } from "vitest";
import { decrypt } from "@/server/core/secrets";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { requestName } from "@/server/holders/request-name";
import { homeSession } from "@/server/holders/testing/holders";
import { importAll, uploadedPhotos } from "@/server/photos/testing/archive";
import { visitor } from "@/server/testing/person";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { photoOf } from "@/server/testing/photo";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { useStage } from "@/server/webhooks/testing/stage";
import { columns } from "./columns";

beforeAll(ownDatabase);
const stage = useStage();

/** The tables in which the test must store the person before the erasure, so that it proves something. */
const tablesAboutPeople = Object.entries(columns)
  .filter(([, each]) => Object.values(each).some((treatment) => treatment === "blanked" || treatment === "hashed"))
  .map(([table]) => table);

/** Returns every row of the database that contains this text, with stored answers decrypted. */
async function rowsWith(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = table_name::regclass)`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(
      `SELECT t::text AS row FROM "${name}" t WHERE t::text ILIKE '%' || $1 || '%'`,
      [text],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 2000)}`));
  }
  for (const { org_id, key, answer } of await sql<{ org_id: string; key: string; answer: Buffer }>(
    `SELECT org_id, key, answer FROM idempotency_records`,
  )) {
    const plain = decrypt(answer, `${org_id}\n${key}`);
    if (plain.toLowerCase().includes(text.toLowerCase())) found.push(`idempotency_records ${key}: ${plain}`);
  }
  return found;
}

it("erasure leaves no trace of the person in any table or in deliveries that are still to be sent", {
  timeout: 60_000,
}, async () => {
  const s = stage();
  const token = await s.world.key();
  const mark = "Qxzvy";
  const one = {
    externalId: `id-${mark}-é`,
    displayName: `Name “${mark}" \\ "email":"`,
    email: `${mark}@example.edu`,
    attributes: { [`key-${mark}`]: { deep: [mark] } },
  };
  const api = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await call(method, path, { token, body, headers });
    expect([path, answer.status < 300 ? "done" : answer.text]).toEqual([path, "done"]);
    return answer.json<{ id: string; subjectId: string }>();
  };
  let keys = 0;
  const keyed = () => ({ "idempotency-key": `k-${++keys}` });
  const design = {
    front: {
      fields: [
        { key: "a", binding: `attributes.key-${mark}.deep`, label: "A" },
        { key: "e", binding: "subject.email", label: "E" },
        { key: "x", binding: "subject.externalId", label: "X" },
        { key: "d", binding: "credential.data.said", label: "D" },
      ],
    },
    publicFields: ["a", "e", "x", "d"],
  };
  const [badge, degree, extra] = [
    await publishedTemplate(s.ctx, { design }),
    await publishedTemplate(s.ctx, { name: "Degree", kind: "academic" }),
    await publishedTemplate(s.ctx),
  ];
  // Three endpoints: one that echoes its requests, one that is down, and one that is paused.
  s.listener.answer = (received, response) =>
    response
      .writeHead(received.path === "/down" ? 503 : 200, received.body.includes(mark) ? { "x-echo": mark } : {})
      .end(received.body);
  await s.endpoint("/echo", { eventTypes: [] });
  await s.endpoint("/down", { eventTypes: [] });
  const paused = await s.endpoint("/paused", { eventTypes: [] });
  await api("POST", `/v1/webhook_endpoints/${paused.id}/pause`);

  const { id } = await api("PUT", "/v1/subjects", { externalId: "id-before", displayName: `Old ${mark}` });
  await api("PATCH", `/v1/subjects/${id}`, one, keyed());
  await api(
    "POST",
    "/v1/subjects/bulk",
    {
      items: [
        { ...one, displayName: `Other ${mark}` },
        { ...one, ifExists: "fail" },
      ],
    },
    keyed(),
  );
  const { photoUpdatedAt } = await photoOf(s.ctx, id);
  await api("POST", `/v1/subjects/${id}/photo/reject`, { photoUpdatedAt, reason: `Not ${mark}` }, keyed());
  const first = await api(
    "POST",
    "/v1/credentials",
    { subject: one, templateId: badge.id, data: { said: mark }, metadata: { m: mark } },
    keyed(),
  );
  await api(
    "POST",
    `/v1/credentials/${first.id}/suspend`,
    { reason: `Because of ${mark}`, note: `Note of ${mark}` },
    keyed(),
  );
  await api("POST", `/v1/credentials/${first.id}/resume`, { reason: `Again ${mark}`, note: mark });
  await api("PATCH", `/v1/credentials/${first.id}`, { data: { said: `${mark} again` } }, keyed());
  await api("POST", `/v1/credentials/${first.id}/reissue`, { reason: `Lost by ${mark}` }, keyed());
  const academic = await api(
    "POST",
    "/v1/credentials",
    { subject: { externalId: one.externalId }, templateId: degree.id, data: { grade: mark } },
    keyed(),
  );
  const asking = await publishedTemplate(s.ctx, { confirmName: true });
  const named = { subject: { externalId: one.externalId }, templateId: asking.id, data: { grade: mark } };
  const waits = await api("POST", "/v1/credentials", named, keyed());
  await api("POST", "/v1/credentials/bulk", { action: "issue", items: [{ ...named, ifExists: "return" }] }, keyed());
  const gone = await api("POST", "/v1/credentials", { subject: { id }, templateId: extra.id });
  await api("POST", `/v1/credentials/${gone.id}/revoke`, { reason: `Left: ${mark}`, note: mark }, keyed());
  await api(
    "POST",
    "/v1/credentials/bulk",
    {
      action: "issue",
      items: [
        { subject: one, templateId: extra.id, data: { mark } },
        { subject: one, templateId: "tpl_none" },
      ],
    },
    keyed(),
  );
  await api(
    "POST",
    "/v1/credentials/bulk",
    {
      action: "issue",
      items: [{ subject: { ...one, displayName: `${mark} done` }, templateId: extra.id, ifExists: "replace" }],
    },
    { ...keyed(), prefer: "respond-async" },
  );
  while (await runBulkChunk(s.now));
  await s.sequence();
  await s.send();
  // Work that waits: rows of jobs, an event without a number, and deliveries that failed or whose endpoint is paused.
  await api(
    "POST",
    "/v1/credentials/bulk",
    {
      action: "issue",
      items: [
        {
          subject: { ...one, externalId: `  ${one.externalId.normalize("NFD")}\u00a0` },
          templateId: extra.id,
          data: { mark },
        },
        { subject: { id }, templateId: extra.id, data: { mark } },
      ],
    },
    { prefer: "respond-async" },
  );
  const queued = await api(
    "POST",
    "/v1/credentials/bulk",
    { action: "suspend", items: [{ id: academic.id, reason: mark, note: mark }] },
    { prefer: "respond-async" },
  );
  await api("PUT", "/v1/subjects", { externalId: one.externalId, displayName: `Last ${mark}` });
  await api("POST", `/v1/credentials/${academic.id}/send`, { to: one.email });
  const connection = await api("POST", "/v1/connectors", { name: "Directory", type: "scim" });
  const directory = await call("POST", `/v1/connectors/${connection.id}/tokens`, { token, body: {} });
  const pushed = await call("POST", "/scim/v2/Users", {
    token: directory.json<{ secret: string }>().secret,
    body: { userName: one.email, externalId: one.externalId, emails: [{ value: one.email }] },
  });
  expect([pushed.status, pushed.json()["id"]]).toEqual([201, id]);
  const address = one.email.toLowerCase();
  await uploadedPhotos(s.world.ctx, { [`${one.externalId}.jpg`]: "no picture" });
  await importAll();
  const link = await claimLink(s.ctx, { approval: true, fields: [{ binding: "credential.data.said" }] });
  await claimed(link.code, { name: `Name ${mark}`, field0: mark }, address);
  await requestName(visitor(), {
    session: await homeSession(address),
    subjectId: id,
    name: `New ${mark}`,
    note: `Note of ${mark}`,
  });
  expect(new Set((await rowsWith(mark)).map((row) => /^\w+/.exec(row)![0]))).toEqual(
    new Set([
      ...tablesAboutPeople,
      "subject_sources",
      "template_versions",
      "account_mails",
      "address_proofs",
      "credential_channels",
      "holder_sessions",
    ]),
  );
  const before = await sql<{ id: string; body: string }>(`SELECT id, body FROM events WHERE org_id = $1`, [
    s.world.orgId,
  ]);

  const erased = await call("POST", `/v1/subjects/${id}/erase`, {
    token,
    body: { reason: "Request 114" },
    headers: keyed(),
  });
  expect(erased.json()).toMatchObject({
    id,
    displayName: "",
    email: null,
    attributes: {},
    status: "inactive",
    erasedAt: expect.any(String),
    externalId: expect.stringMatching(/^erased:[\w-]{43}$/),
  });
  // A template's design belongs to the organisation; it contains the mark because the test named an attribute so.
  const ofPeople = async (text: string) => (await rowsWith(text)).filter((row) => !row.startsWith("template_versions"));
  expect(await ofPeople(mark)).toEqual([]);
  expect(await ofPeople("id-before")).toEqual([]);

  const sent = s.listener.received.length;
  await api("POST", `/v1/webhook_endpoints/${paused.id}/resume`).catch(() =>
    api("POST", `/v1/webhook_endpoints/${paused.id}/enable`),
  );
  s.advance(60_000);
  await s.sequence();
  await s.send();
  const later = s.listener.received.slice(sent);
  expect(later.filter(({ body }) => body.includes(mark))).toEqual([]);
  expect(later.some(({ body }) => body.includes('"erased":true'))).toBe(true);
  const after = new Map(
    (await sql<{ id: string; body: string }>(`SELECT id, body FROM events WHERE org_id = $1`, [s.world.orgId])).map(
      (row) => [row.id, row.body],
    ),
  );
  for (const { id: event, body } of before) {
    const [was, now] = [body, after.get(event)!].map(
      (text) => JSON.parse(`${text}}`) as { type: string; data: object; erased?: true },
    );
    expect(Object.keys(now!.data)).toEqual(Object.keys(was!.data));
    if (/^(subject|credential)\./.test(now!.type)) expect(now!.erased).toBe(true);
    else expect(now!.erased).toBeUndefined();
  }
  // A repeated request is answered without the person, and waiting rows are refused one by one.
  const repeated = await call("POST", `/v1/subjects/${id}/erase`, {
    token,
    body: { reason: "Request 114" },
    headers: { "idempotency-key": `k-${keys}` },
  });
  expect([repeated.text, repeated.headers.get("idempotent-replayed")]).toEqual([erased.text, "true"]);
  const issuedAgain = await call("PATCH", `/v1/subjects/${id}`, {
    token,
    body: one,
    headers: { "idempotency-key": "k-1" },
  });
  expect(await api("GET", `/v1/name_confirmations/${waits.id}`)).toMatchObject({ state: "cancelled", name: "" });
  expect(issuedAgain.json()).toMatchObject({ id, displayName: "", email: null, attributes: {} });
  while (await runBulkChunk(s.now));
  const rows = await sql<{ code: string | null }>(
    `SELECT result #>> '{error,code}' AS code FROM bulk_rows WHERE org_id = $1 AND job_id <> $2 AND NOT ok`,
    [s.world.orgId, queued.id],
  );
  expect(rows.map(({ code }) => code)).toEqual(["subject_erased", "subject_erased"]);
  expect(await ofPeople(mark)).toEqual([]);
});

describe("an erased person", () => {
  it("is refused by every write that names them in any form, and by each row of a feed", async () => {
    const s = stage();
    const token = await s.world.key();
    const template = await publishedTemplate(s.ctx);
    const put = (body: object) => call("PUT", "/v1/subjects", { token, body });
    const { id } = (await put({ externalId: "é-1", displayName: "Ada" })).json<{ id: string }>();
    const { id: other } = (await put({ externalId: "o-1" })).json<{ id: string }>();
    const credential = (
      await call("POST", "/v1/credentials", { token, body: { subject: { id }, templateId: template.id } })
    ).json<{ id: string }>();
    const erase = () => call("POST", `/v1/subjects/${id}/erase`, { token, body: { reason: "r" } });
    const { externalId } = (await erase()).json<{ externalId: string }>();
    const eventCount = (await eventsOf(s.world.orgId)).length;
    const refused = await Promise.all([
      put({ externalId: "é-1", displayName: "Ada" }),
      put({ externalId: " e\u0301-1 " }),
      put({ externalId: "é-1", ifExists: "fail" }),
      put({ externalId, displayName: "Ada" }),
      call("PATCH", `/v1/subjects/${id}`, { token, body: { displayName: "Ada" } }),
      call("PATCH", `/v1/subjects/${id}`, { token, body: { status: "active" } }),
      call("PATCH", `/v1/subjects/${other}`, { token, body: { externalId: "é-1" } }),
      call("DELETE", `/v1/subjects/${id}`, { token }),
      call("POST", "/v1/credentials", { token, body: { subject: { externalId: "é-1" }, templateId: template.id } }),
      call("POST", "/v1/credentials", {
        token,
        body: { subject: { externalId: "é-1", displayName: "Ada" }, templateId: template.id },
      }),
      call("POST", "/v1/credentials", { token, body: { subject: { id }, templateId: template.id } }),
      call("POST", `/v1/credentials/${credential.id}/reissue`, { token, body: {} }),
      call("PATCH", `/v1/credentials/${credential.id}`, { token, body: { metadata: { a: 1 } } }),
    ]);
    expect(refused.map((answer) => [answer.status, answer.json().code])).toEqual(
      refused.map(() => [409, "subject_erased"]),
    );
    for (const answer of refused) expect(answer.text).not.toMatch(/sub_|é-1/);
    const bulk = await call("POST", "/v1/subjects/bulk", {
      token,
      body: { items: [{ externalId: "n-1" }, { externalId: "é-1", displayName: "Ada" }, { externalId: "n-2" }] },
    });
    expect(bulk.json<{ data: object[] }>().data).toMatchObject([
      { ok: true },
      { ok: false, error: { code: "subject_erased" } },
      { ok: true },
    ]);
    const issues = await call("POST", "/v1/credentials/bulk", {
      token,
      body: {
        action: "issue",
        items: ["é-1", "n-1"].map((each) => ({
          subject: { externalId: each, displayName: "Ada" },
          templateId: template.id,
        })),
      },
    });
    expect(issues.json<{ data: object[] }>().data).toMatchObject([
      { ok: false, error: { code: "subject_erased" } },
      { ok: true },
    ]);
    // External ids of erased people are case-sensitive too.
    expect((await put({ externalId: "É-1" })).status).toBe(201);
    expect((await call("GET", `/v1/subjects?externalId=${encodeURIComponent("é-1")}`, { token })).json()).toMatchObject(
      { data: [] },
    );
    const own = (await eventsOf(s.world.orgId)).slice(eventCount).filter(({ data }) => data.object["id"] === id);
    expect(own).toEqual([]);
    const twice = await erase();
    expect([twice.status, twice.json()["externalId"]]).toEqual([200, externalId]);
  });

  it("loses live credentials, keeps academic ones unless asked otherwise, and is named by no verification", async () => {
    const s = stage();
    const token = await s.world.key();
    const [member, degree] = [
      await publishedTemplate(s.ctx),
      await publishedTemplate(s.ctx, { name: "Degree", kind: "academic" }),
    ];
    const hold = async (externalId: string) => {
      const issue = async (templateId: string) =>
        (
          await call("POST", "/v1/credentials", {
            token,
            body: { subject: { externalId, displayName: "Ada Lovelace" }, templateId },
          })
        ).json<{ subjectId: string; code: string }>();
      return [await issue(member.id), await issue(degree.id)] as const;
    };
    const verify = async ({ code }: { code: string }) =>
      (await call("GET", `/public/credentials/${code}`)).json<{
        state: string;
        result: string;
        reasonText: string | null;
        checks: { name: string; detail: string }[];
        credential: object;
      }>();
    const [card, diploma] = await hold("a");
    await call("POST", `/v1/subjects/${card.subjectId}/erase`, { token, body: { reason: "r" } });
    const [ended, kept] = [await verify(card), await verify(diploma)];
    expect([ended.state, ended.result, kept.state, kept.result]).toEqual(["revoked", "invalid", "active", "valid"]);
    expect(ended.reasonText).toContain("Erased at the holder's request");
    for (const each of [ended, kept]) {
      expect(JSON.stringify(each)).not.toContain("Ada");
      expect(each).toMatchObject({
        credential: { issuer: { name: "Test Organisation" }, subject: { displayName: "", erased: true }, fields: [] },
      });
      expect(each.checks.find(({ name }) => name === "holder")!.detail).toMatch(/the holder asked for erasure/i);
    }
    const [, alsoEnded] = await hold("b");
    await call("POST", `/v1/subjects/${alsoEnded.subjectId}/erase`, {
      token,
      body: { reason: "r", includeAcademic: true },
    });
    expect((await verify(alsoEnded)).state).toBe("revoked");
    const told = (await eventsOf(s.world.orgId)).filter(({ data }) => data.object["id"] === card.subjectId).slice(-2);
    expect(told.map(({ type, data }) => [type, data.previous])).toEqual([
      ["subject.updated", undefined],
      ["subject.deactivated", { status: "active" }],
    ]);
  });
});
