import { verifyCredential as verifyWithDcc } from "@digitalcredentials/verifier-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reissueCredential } from "@/server/credentials/reissue";
import { eraseSubject } from "@/server/erasure/erase-subject";
import type { JsonObject } from "@/server/standards/json";
import { libraryVerifies } from "@/server/standards/testing/library";
import { publishedAchievement } from "@/server/testing/achievements";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import type { Verification } from "@/server/verification/view";

// Checkers request the issuer's keys and lists from this service's own routes; there is no other network.
beforeEach(() => {
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const answer = await call("GET", new URL(new Request(input).url).pathname, { headers: { accept: "*/*" } });
    return new Response(answer.bytes, { status: answer.status, headers: answer.headers });
  });
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const evidence = [
  {
    url: "https://example.edu/theses/17.pdf",
    name: "Thesis",
    narrative: "On the *Analytical Engine*.",
    description: "A thesis of 90 pages.",
    genre: "Thesis",
    audience: "Examiners",
  },
  { narrative: "Defended in public." },
];
const evidenceField = { key: "proof", label: "Evidence", binding: "credential.data.evidence" };
const design = { publicFields: ["proof"], front: { fields: [evidenceField] } };

const academic = (w: World, more: object = { design }) => publishedTemplate(w.ctx, { kind: "academic", ...more });

async function documentOf(w: World, id: string): Promise<JsonObject> {
  const answer = await call("GET", `/v1/credentials/${id}/credential.json`, { token: await w.key() });
  expect(answer.status).toBe(200);
  return answer.json<JsonObject>();
}
const told = ({ credential }: Verification) =>
  credential.fields.filter(({ format }) => format === "markdown").map(({ key, label, value }) => [key, label, value]);

describe("evidence that is entered when issuing", () => {
  it("stands in the signed document in the terms of Open Badges, which other verifiers accept", async () => {
    const w = await world();
    const { id } = await issued(w.ctx, (await academic(w)).id, { data: { evidence } });
    const document = await documentOf(w, id);
    const [{ url, ...first }, second] = evidence as [(typeof evidence)[0], object];
    expect(document["evidence"]).toEqual([
      { id: url, type: ["Evidence"], ...first },
      { type: ["Evidence"], ...second },
    ]);
    const did = (document["issuer"] as JsonObject)["id"] as string;
    const keys = (await call("GET", `/public/issuers/${did.split(":").at(-1)}/did.json`)).json<JsonObject>();
    expect(await libraryVerifies(document, "eddsa-rdfc-2022", undefined, keys)).toBe(true);
    const { log } = await verifyWithDcc({ credential: document as never, knownDIDRegistries: [] });
    expect(log!.find((each) => each.id === "valid_signature")).toMatchObject({ valid: true });
    const altered = { ...document, evidence: [{ id: url, type: ["Evidence"], name: "Another thesis" }] };
    expect(await libraryVerifies(altered, "eddsa-rdfc-2022", undefined, keys)).toBe(false);
  });

  it("is public if the template makes it public, by code and by document, and then in the files too", async () => {
    const w = await world();
    const shown = await issued(w.ctx, (await academic(w)).id, { data: { evidence } });
    const byCode = (await call("GET", `/public/credentials/${shown.code}`)).json<Verification>();
    const expected = [
      ["proof.1", "Evidence", "Thesis (Thesis)\n\nOn the *Analytical Engine*.\n\n<https://example.edu/theses/17.pdf>"],
      ["proof.2", "Evidence", "Defended in public."],
    ];
    expect(told(byCode)).toEqual(expected);
    const credential = await documentOf(w, shown.id);
    const byDocument = (await call("POST", "/public/verify", { body: { credential } })).json<Verification>();
    expect(told(byDocument)).toEqual([...expected, ["document.criteria", "Criteria", expect.any(String)]]);
    const page = (await call("GET", `/c/${shown.code}`)).text;
    expect(page).toContain("<em>Analytical Engine</em>");
    expect(page).toContain('href="https://example.edu/theses/17.pdf"');
    expect((await call("GET", `/public/credentials/${shown.code}/credential.json`)).status).toBe(200);

    const hidden = await issued(w.ctx, (await academic(w, { name: "Silent" })).id, { data: { evidence } });
    expect((await call("GET", `/public/credentials/${hidden.code}`)).text).not.toContain("Analytical");
    expect((await call("GET", `/c/${hidden.code}`)).text).not.toContain("Analytical");
    expect((await call("GET", `/public/credentials/${hidden.code}/credential.json`)).status).toBe(404);
  });

  it.each<[string, unknown, string]>([
    ["no list", { url: "https://example.edu" }, "/data/evidence"],
    ["a text", ["https://example.edu"], "/data/evidence/0"],
    ["nothing to tell", [{ genre: "Thesis" }], "/data/evidence/0/name"],
    ["an address that is none", [{ name: "Thesis" }, { url: "javascript:alert(1)" }], "/data/evidence/1/url"],
    ["a field that Open Badges does not know", [{ name: "Thesis", grade: "A" }], "/data/evidence/0/grade"],
    ["one address twice", [1, 2].map((n) => ({ name: `${n}`, url: "https://example.edu" })), "/data/evidence/1/url"],
    ["more than twenty pieces", Array.from({ length: 21 }, () => ({ name: "Thesis" })), "/data/evidence"],
  ])(
    "is refused with %s when issuing, in a change, a reissue and a row of a bulk request",
    async (_, wrong, pointer) => {
      const w = await world();
      const token = await w.key();
      const { id: templateId } = await academic(w);
      const { id } = await issued(w.ctx, templateId);
      const data = { evidence: wrong };
      const subject = { externalId: "refused" };
      const answers = [
        await call("POST", "/v1/credentials", { token, body: { subject, templateId, data } }),
        await call("PATCH", `/v1/credentials/${id}`, { token, body: { data } }),
        await call("POST", `/v1/credentials/${id}/reissue`, { token, body: { data } }),
      ];
      for (const { status, json } of answers)
        expect([status, json<{ errors: object[] }>().errors]).toMatchObject([400, [{ pointer }]]);
      const items = [
        { subject, templateId, data },
        { subject: { externalId: "fine" }, templateId, data: { evidence } },
      ];
      const bulk = await call("POST", "/v1/credentials/bulk", { token, body: { action: "issue", items } });
      expect(bulk.json()).toMatchObject({
        succeeded: 1,
        data: [
          { ok: false, error: { errors: [{ pointer }] } },
          { ok: true, credential: { data: { evidence } } },
        ],
      });
    },
  );

  it("is refused with the address of another part of the document when issuing, in a change and a reissue", async () => {
    const w = await world();
    const token = await w.key();
    const criteriaUrl = "https://example.edu/programme";
    const { id: achievementId } = await publishedAchievement(w.ctx, { criteria: { url: criteriaUrl } });
    const { id: templateId } = await academic(w, { achievementId });
    const { id, code } = await issued(w.ctx, templateId);
    const document = await documentOf(w, id);
    const own = (document["credentialSubject"] as { achievement: JsonObject }).achievement["id"] as string;
    const list = (document["credentialStatus"] as JsonObject[])[0]!["statusListCredential"] as string;
    const errors = [{ pointer: "/data/evidence/0/url", code: "not_supported" }];
    for (const url of [criteriaUrl, own, `${own}#grade`, list]) {
      const data = { evidence: [{ url, name: "PhD in Everything" }] };
      for (const [method, path, body] of [
        ["POST", "", { subject: { externalId: "other" }, templateId, data }],
        ["PATCH", `/${id}`, { data }],
        ["POST", `/${id}/reissue`, { data }],
      ] as const) {
        const answer = await call(method, `/v1/credentials${path}`, { token, body });
        expect([url, answer.status, answer.json<object>()]).toMatchObject([url, 400, { errors }]);
      }
    }
    const data = { evidence: [{ url: document["id"] as string }] };
    expect((await call("PATCH", `/v1/credentials/${id}`, { token, body: { data } })).status).toBe(400);
    expect(code).toBeTruthy();
    const criteria = { url: own };
    const made = await call("POST", "/v1/achievements", {
      token,
      body: { name: "A", description: "B", criteria },
    });
    expect([made.status, made.json<object>()]).toMatchObject([400, { errors: [{ pointer: "/criteria/url" }] }]);
  });

  it("is signed without an address that another part has, if the record is older than that rule", async () => {
    const w = await world();
    const criteriaUrl = "https://example.edu/programme";
    const { id: achievementId } = await publishedAchievement(w.ctx, { criteria: { url: criteriaUrl } });
    const { id, code } = await issued(w.ctx, (await academic(w, { achievementId })).id);
    const twice = "https://example.edu/thesis";
    await sql(`UPDATE credentials SET data = data || $2 WHERE code = $1`, [
      code.replaceAll("-", ""),
      {
        evidence: [
          { url: criteriaUrl, name: "PhD in Everything" },
          { url: twice, name: "Thesis" },
          { url: twice, name: "Summary" },
          { url: criteriaUrl },
        ],
      },
    ]);
    const document = await documentOf(w, id);
    expect(document["evidence"]).toEqual([
      { type: ["Evidence"], name: "PhD in Everything" },
      { id: twice, type: ["Evidence"], name: "Thesis" },
      { type: ["Evidence"], name: "Summary" },
    ]);
    expect((document["credentialSubject"] as { achievement: JsonObject }).achievement["criteria"]).toEqual({
      id: criteriaUrl,
    });
  });

  it("is replaced as a whole by a change, removed by null, and kept by a reissue", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await issued(w.ctx, (await academic(w)).id, { data: { evidence } });
    const change = (value: unknown) =>
      call("PATCH", `/v1/credentials/${id}`, { token, body: { data: { evidence: value } } });
    await change([{ name: "Portfolio" }]);
    expect((await documentOf(w, id))["evidence"]).toEqual([{ type: ["Evidence"], name: "Portfolio" }]);
    const next = await reissueCredential(w.ctx, { id });
    expect((await documentOf(w, next.id))["evidence"]).toEqual([{ type: ["Evidence"], name: "Portfolio" }]);
    await call("PATCH", `/v1/credentials/${next.id}`, { token, body: { data: { evidence: null } } });
    expect(await documentOf(w, next.id)).not.toHaveProperty("evidence");
  });

  it("is removed by an erasure of its holder", async () => {
    const w = await world();
    const { id, code, subjectId } = await issued(w.ctx, (await academic(w)).id, { data: { evidence } });
    await documentOf(w, id);
    await eraseSubject(w.ctx, { id: subjectId, reason: "Asked", includeAcademic: true });
    expect((await call("GET", `/public/credentials/${code}`)).text).not.toContain("Analytical");
    const [kept] = await sql<{ data: object }>(`SELECT data FROM credentials WHERE org_id = $1`, [w.orgId]);
    expect(JSON.stringify(kept)).not.toContain("Analytical");
  });
});

/** Addresses that browsers open, but that no verifier accepts unchanged in a credential. */
const unsignable = [" ", "\n", "\u00a0", "\u2028", "\u200b", "|", "<", ">", '"', "{", "}", "^", "`", "\\"].map(
  (wrong) => `https://example.edu/my${wrong}thesis.pdf`,
);

describe("the address of a piece of evidence, of criteria and of an alignment", () => {
  it("is refused in every request if verifiers would refuse the signed document", async () => {
    const w = await world();
    const token = await w.key();
    const { id: templateId } = await academic(w);
    const { id } = await issued(w.ctx, templateId);
    const subject = { externalId: "s" };
    for (const url of unsignable) {
      const data = { evidence: [{ name: "Thesis", url }] };
      const achievement = { name: "Degree", description: "A degree." };
      const items = (row: object) => ({ items: [row] });
      const answers = await Promise.all([
        call("POST", "/v1/credentials", { token, body: { subject, templateId, data } }),
        call("PATCH", `/v1/credentials/${id}`, { token, body: { data } }),
        call("POST", `/v1/credentials/${id}/reissue`, { token, body: { data } }),
        call("POST", "/v1/achievements", { token, body: { ...achievement, criteria: { url } } }),
        call("POST", "/v1/achievements", {
          token,
          body: {
            ...achievement,
            criteria: { narrative: "Pass." },
            alignments: [{ targetName: "EQF 7", targetUrl: url }],
          },
        }),
      ]);
      expect([url, answers.map(({ status }) => status)]).toEqual([url, [400, 400, 400, 400, 400]]);
      const sets = await Promise.all([
        call("POST", "/v1/credentials/bulk", {
          token,
          body: { action: "issue", ...items({ subject, templateId, data }) },
        }),
        call("POST", "/v1/credentials/bulk", { token, body: { action: "update", ...items({ id, data }) } }),
      ]);
      expect([url, sets.map(({ json }) => json()["failed"])]).toEqual([url, [1, 1]]);
    }
  });

  it("that was stored before that rule is converted so that it can be signed, and every file is served", async () => {
    const w = await world();
    const token = await w.key();
    const achievement = await publishedAchievement(w.ctx, {
      criteria: { url: "https://example.edu/criteria" },
      alignments: [{ targetName: "EQF 7", targetUrl: "https://example.edu/eqf" }],
    });
    const template = await academic(w, { design, achievementId: achievement.id });
    const { id, code } = await issued(w.ctx, template.id, {});
    await sql(`UPDATE credentials SET data = data || $2 WHERE org_id = $1`, [
      w.orgId,
      { evidence: unsignable.map((url) => ({ url })) },
    ]);
    await sql(`UPDATE achievement_versions SET content = content || $2 WHERE org_id = $1`, [
      w.orgId,
      {
        criteria: { url: "https://example.edu/all you|need" },
        alignments: [{ targetName: "EQF 7", targetUrl: "https://example.edu/e qf" }],
      },
    ]);
    const document = await documentOf(w, id);
    expect(document["evidence"]).toContainEqual({ id: "https://example.edu/my%20thesis.pdf", type: ["Evidence"] });
    expect(JSON.stringify(document)).toContain("https://example.edu/all%20you%7Cneed");
    const answer = (await call("POST", "/public/verify", { body: { credential: document } })).json<Verification>();
    expect([answer.result, answer.checks.filter(({ outcome }) => outcome === "fail")]).toEqual(["valid", []]);
    for (const file of ["badge.png", "badge.svg", "credential.pdf"])
      expect([file, (await call("GET", `/v1/credentials/${id}/${file}`, { token })).status]).toEqual([file, 200]);
    expect((await call("GET", `/public/credentials/${code}/credential.json`)).status).toBe(200);
  });
});

describe("the date of the award", () => {
  it("is the day on which the credential begins, and stays the same when it is reissued", async () => {
    const w = await world();
    const began = "2019-07-01T09:30:00.000Z";
    const { id } = await issued(w.ctx, (await academic(w)).id, { validFrom: began });
    expect(await documentOf(w, id)).toMatchObject({ validFrom: began, awardedDate: began });
    const next = await reissueCredential(w.ctx, { id });
    expect((await documentOf(w, next.id))["awardedDate"]).toBe(began);
    const again = await documentOf(w, (await reissueCredential(w.ctx, { id: next.id })).id);
    expect(again["awardedDate"]).toBe(began);
    const other = await reissueCredential(w.ctx, {
      id: (await issued(w.ctx, (await academic(w)).id)).id,
      validFrom: began,
    });
    expect((await documentOf(w, other.id))["awardedDate"]).toBe(began);
  });

  it("is the chosen day, in each zone and in every form of the request", async () => {
    const w = await world();
    const token = await w.key();
    await sql(`UPDATE organisations SET time_zone = 'Europe/Berlin' WHERE id = $1`, [w.orgId]);
    const { id: templateId } = await academic(w);
    const data = (awardedDate: string) => ({ data: { awardedDate } });
    // 1 July in Berlin begins on 30 June in UTC and west of it.
    const midnight = { validFrom: "2019-06-30T22:00:00.000Z" };
    const ways: [object, string][] = [
      [midnight, "2019-07-01T12:00:00Z"],
      [{ validFrom: "2019-07-01T00:00:00+02:00" }, "2019-07-01T12:00:00Z"],
      [data("2019-07-01"), "2019-07-01T12:00:00Z"],
      [{ ...midnight, ...data("1998-07-01") }, "1998-07-01T12:00:00Z"],
      [{ ...midnight, data: { awardedDate: null } }, "2019-07-01T12:00:00Z"],
      // An instant stays an instant.
      [{ validFrom: "2019-06-30T22:00:01.000Z" }, "2019-06-30T22:00:01.000Z"],
      [{ ...midnight, ...data("2019-06-30T22:00:00Z") }, "2019-06-30T22:00:00.000Z"],
    ];
    const single = await Promise.all(ways.map(([terms]) => issued(w.ctx, templateId, terms)));
    const bulk = await call("POST", "/v1/credentials/bulk", {
      token,
      body: {
        action: "issue",
        items: ways.map(([terms], i) => ({ subject: { externalId: `row-${i}` }, templateId, ...terms })),
      },
    });
    const rows = bulk.json<{ data: { credential: { id: string } }[] }>().data.map(({ credential }) => credential);
    const dates = (made: { id: string }[]) =>
      Promise.all(made.map(async ({ id }) => (await documentOf(w, id))["awardedDate"]));
    expect(await dates(single)).toEqual(ways.map(([, stated]) => stated));
    expect(await dates(rows)).toEqual(ways.map(([, stated]) => stated));
    const reissued = await Promise.all([
      reissueCredential(w.ctx, { id: single[0]!.id }),
      reissueCredential(w.ctx, {
        id: rows[0]!.id,
        validFrom: new Date("2020-06-30T22:00:00Z").toISOString(),
        data: {},
      }),
    ]);
    expect(await dates(reissued)).toEqual(["2019-07-01T12:00:00Z", "2020-07-01T12:00:00Z"]);
    // A later change of the organisation's zone changes nothing in the signed document.
    await sql(`UPDATE organisations SET time_zone = 'America/Los_Angeles' WHERE id = $1`, [w.orgId]);
    expect((await dates([single[0]!]))[0]).toBe("2019-07-01T12:00:00Z");
  });

  it("can be another day, which the document, the page and the code all show", async () => {
    const w = await world();
    await sql(`UPDATE organisations SET time_zone = 'Europe/Berlin' WHERE id = $1`, [w.orgId]);
    const { id, code } = await issued(w.ctx, (await academic(w)).id, { data: { awardedDate: "1998-07-01" } });
    const credential = await documentOf(w, id);
    expect(credential["awardedDate"]).toBe("1998-07-01T12:00:00Z");
    // Another zone of the organisation changes no byte.
    await sql(`UPDATE organisations SET time_zone = 'America/Los_Angeles' WHERE id = $1`, [w.orgId]);
    expect(await documentOf(w, id)).toEqual(credential);
    const byCode = (await call("GET", `/public/credentials/${code}`)).json<Verification>();
    const field = { key: "awardedDate", label: "Awarded on", value: "1998-07-01", format: "date" };
    expect(byCode.credential.fields).toContainEqual(field);
    expect((await call("GET", `/c/${code}`)).text).toContain("1 July 1998");
    const answer = (await call("POST", "/public/verify", { body: { credential } })).json<Verification>();
    expect(answer.result).toBe("valid");
    expect(answer.credential.fields.filter(({ label }) => label === "Awarded on")).toEqual([field]);
  });

  it("goes with an end that others read as the last day, and that is exact to the millisecond", async () => {
    const w = await world();
    const expiresAt = "2990-03-01T00:00:00.000Z";
    const { id } = await issued(w.ctx, (await academic(w)).id, { expiresAt });
    const credential = await documentOf(w, id);
    expect(credential["validUntil"]).toBe("2990-02-28T23:59:59.999Z");
    const answer = (await call("POST", "/public/verify", { body: { credential } })).json<Verification>();
    expect([answer.result, answer.credential.expiresAt]).toEqual(["valid", expiresAt]);
  });

  it("is refused after today and before the beginning, when issuing, in bulk, in a change and a reissue", async () => {
    const w = await world();
    const token = await w.key();
    const { id: templateId } = await academic(w);
    const data = { awardedDate: "2990-01-01" };
    const subject = { externalId: "early" };
    const { id } = await issued(w.ctx, templateId);
    const answers = [
      await call("POST", "/v1/credentials", { token, body: { subject, templateId, data } }),
      await call("POST", "/v1/credentials", {
        token,
        body: { subject, templateId, data: { awardedDate: "2990-01-01T00:00:00Z" }, validFrom: "2980-01-01T00:00:00Z" },
      }),
      await call("PATCH", `/v1/credentials/${id}`, { token, body: { data } }),
      await call("POST", `/v1/credentials/${id}/reissue`, { token, body: { data } }),
    ];
    for (const { status, json } of answers)
      expect([status, json<{ errors: object[] }>().errors]).toMatchObject([
        400,
        [{ pointer: "/data/awardedDate", code: "future" }],
      ]);
    const items = [{ subject, templateId, data }];
    const bulk = await call("POST", "/v1/credentials/bulk", { token, body: { action: "issue", items } });
    expect(bulk.json()).toMatchObject({ failed: 1 });
    const ahead = { ...data, results: {} };
    const body = { subject, templateId, data: ahead, validFrom: "2990-01-01T00:00:00Z" };
    expect((await call("POST", "/v1/credentials", { token, body })).status).toBe(201);
  });

  it.each(["1 July 1998", "1998-02-30", "0998-07-01", 1998])("is refused as %j", async (awardedDate) => {
    const w = await world();
    const { id: templateId } = await academic(w);
    const body = { subject: { externalId: "s-1" }, templateId, data: { awardedDate } };
    const answer = await call("POST", "/v1/credentials", { token: await w.key(), body });
    expect([answer.status, answer.json()["errors"]]).toMatchObject([400, [{ pointer: "/data/awardedDate" }]]);
  });
});
