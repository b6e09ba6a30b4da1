import { createHash } from "node:crypto";
import { verifyCredential as verifyWithDcc } from "@digitalcredentials/verifier-core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { env } from "@/server/core/env";
import { getCredentialCard } from "@/server/credentials/card";
import { revokeCredential } from "@/server/credentials/revoke";
import { resumeCredential } from "@/server/credentials/resume";
import { suspendCredential } from "@/server/credentials/suspend";
import { updateCredential } from "@/server/credentials/update";
import { readId } from "@/server/core/ids";
import { getIssuer } from "@/server/issuers/get";
import { updateIssuer } from "@/server/issuers/update";
import { revokeIssuerKey } from "@/server/issuers/revoke-key";
import { rotateIssuerKey } from "@/server/issuers/rotate-key";
import type { JsonObject } from "@/server/standards/json";
import { libraryVerifies } from "@/server/standards/testing/library";
import { publishedAchievement } from "@/server/testing/achievements";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { updateSubject } from "@/server/subjects/update";
import type { Verification } from "@/server/verification/view";

// Checkers' requests are answered by this service's own routes; there are no other hosts.
beforeEach(() => {
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const request = new Request(input);
    const { pathname, host } = new URL(request.url);
    if (host !== new URL(env().PUBLIC_URL).host) throw new Error("There is no network in tests.");
    const answer = await call("GET", pathname, { headers: { accept: request.headers.get("accept") ?? "*/*" } });
    return new Response(answer.bytes, { status: answer.status, headers: answer.headers });
  });
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const graded = {
  publicFields: ["grade", "credits"],
  front: {
    fields: [
      { key: "grade", label: "Grade", binding: "credential.data.results.grade" },
      { key: "credits", label: "Credits", binding: "credential.data.creditsEarned" },
    ],
  },
};

/** A degree with a grade and credits, whose holder has an e-mail address. */
async function degree(w: World, design: object = graded) {
  const achievement = await publishedAchievement(w.ctx, {
    name: "Master of Science",
    achievementType: "MasterDegree",
    alignments: [{ targetName: "EQF 7", targetUrl: "https://example.org/eqf/7", targetType: "CFItem" }],
    resultDescriptions: [
      { key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B"] },
      {
        key: "thesis",
        name: "Thesis",
        resultType: "RubricCriterionLevel",
        rubricLevels: [{ key: "passed", name: "Passed" }],
        requiredLevel: "passed",
      },
    ],
    creditsAvailable: 120,
    humanCode: "MSC",
    tags: ["science"],
    inLanguage: "en",
  });
  const template = await publishedTemplate(w.ctx, {
    name: "Certificate",
    kind: "academic",
    achievementId: achievement.id,
    design: design as typeof graded,
  });
  const credential = await issued(w.ctx, template.id, {
    data: { results: { grade: "A" }, creditsEarned: 120 },
    expiresAt: "2990-01-01T00:00:00Z",
    email: "ada@example.edu",
  });
  return { achievement, template, credential };
}

interface BadgeDocument {
  id: string;
  name: string;
  issuer: { id: string };
  credentialSubject: {
    identifier: { identityHash: string; salt: string; [field: string]: unknown }[];
    achievement: { id: string };
    result: object[];
  };
  credentialStatus: { statusPurpose: string; statusListCredential: string }[];
  proof: { verificationMethod: string }[];
}

async function documentOf(w: World, id: string): Promise<{ text: string; document: BadgeDocument }> {
  const answer = await call("GET", `/v1/credentials/${id}/credential.json`, { token: await w.key() });
  expect(answer.status).toBe(200);
  return { text: answer.text, document: answer.json<BadgeDocument>() };
}

async function judged(credential: object) {
  const { log, errors } = await verifyWithDcc({ credential: credential as never, knownDIDRegistries: [] });
  return { errors, ...Object.fromEntries(log!.map(({ id, valid, error }) => [id, error ?? valid])) };
}

const acceptedByLibrary = async (document: BadgeDocument) =>
  libraryVerifies(
    document,
    "eddsa-rdfc-2022",
    undefined,
    (await call("GET", `/public/issuers/${document.issuer.id.split(":").at(-1)}/did.json`)).json<JsonObject>(),
  );

const verified = async (body: object) => (await call("POST", "/public/verify", { body })).json<{ result: string }>();

describe("the document of an academic credential", () => {
  it("states the achievement at issue, the results and credits, and hashes the holder", async () => {
    const w = await world();
    const { achievement, credential } = await degree(w);
    const { text, document } = await documentOf(w, credential.id);
    const url = `${env().PUBLIC_URL}/public/achievements/${achievement.version.id}`;
    expect(document).toMatchObject({
      type: ["VerifiableCredential", "OpenBadgeCredential"],
      id: credential.verifyUrl,
      name: "Master of Science",
      validUntil: "2989-12-31T23:59:59.999Z",
      credentialSubject: {
        type: ["AchievementSubject"],
        identifier: [{ type: "IdentityObject", hashed: true, identityType: "emailAddress" }],
        creditsEarned: 120,
        result: [{ type: ["Result"], resultDescription: `${url}#grade`, value: "A" }],
        achievement: {
          id: url,
          achievementType: "MasterDegree",
          humanCode: "MSC",
          tag: ["science"],
          resultDescription: [{ id: `${url}#grade` }, { id: `${url}#thesis`, requiredLevel: `${url}#thesis/passed` }],
        },
      },
    });
    const [{ identityHash, salt }] = document.credentialSubject.identifier as [{ identityHash: string; salt: string }];
    expect(identityHash).toBe(`sha256$${createHash("sha256").update(`ada@example.edu${salt}`).digest("hex")}`);
    expect(text).not.toMatch(/Lovelace|ada@example/);
    const stated = await call("GET", new URL(url).pathname);
    expect([stated.status, stated.json()]).toMatchObject([200, { id: url, name: "Master of Science" }]);
  });

  it.each(["hashed", "name", "email"] as const)(
    "names the person it was issued to (%s), whatever their record says later, and after its end",
    async (recipientIdentity) => {
      const w = await world();
      await updateIssuer(w.ctx, { recipientIdentity });
      const { credential } = await degree(w);
      const { credential: other } = await degree(w, {});
      const identity = async (id: string) => (await documentOf(w, id)).document.credentialSubject.identifier;
      const [first, second] = [await identity(credential.id), await identity(other.id)];
      for (const { subjectId } of [credential, other])
        await updateSubject(w.ctx, { id: subjectId, email: `${subjectId}@mallory.example`, displayName: "Mallory" });
      expect(await identity(credential.id)).toEqual(first);
      await revokeCredential(w.ctx, { id: credential.id, reason: "r" });
      expect(await identity(credential.id)).toEqual(first);
      expect(await identity(other.id)).toEqual(second);
      expect(JSON.stringify(first)).not.toContain("allory");
      await eraseSubject(w.ctx, { id: credential.subjectId, reason: "Asked", includeAcademic: true });
      const kept = await sql(`SELECT recipient FROM credentials WHERE org_id = $1 AND id = $2`, [
        w.orgId,
        readId("crd", credential.id),
      ]);
      expect(kept).toEqual([{ recipient: null }]);
    },
  );

  it("states a result of the type Status as a status, which Open Badges requires, and refuses other values", async () => {
    const w = await world();
    const achievement = await publishedAchievement(w.ctx, {
      resultDescriptions: [{ key: "studies", name: "Studies", resultType: "Status" }],
    });
    const template = await publishedTemplate(w.ctx, {
      kind: "academic",
      achievementId: achievement.id,
      design: {
        front: { fields: [{ key: "s", binding: "credential.data.results.studies" }] },
        publicFields: ["s"],
      },
    });
    const refused = issued(w.ctx, template.id, { data: { results: { studies: "Finished" } } });
    await expect(refused).rejects.toMatchObject({
      code: "invalid_request",
      extras: {
        errors: [{ pointer: "/data/results/studies", message: expect.stringContaining("Completed, Enrolled") }],
      },
    });
    const { id } = await issued(w.ctx, template.id, { data: { results: { studies: "InProgress" } } });
    const { document } = await documentOf(w, id);
    expect(document.credentialSubject.result).toEqual([
      { type: ["Result"], resultDescription: expect.stringContaining("#studies"), status: "InProgress" },
    ]);
    expect(await acceptedByLibrary(document)).toBe(true);
    const altered = structuredClone(document);
    Object.assign(altered.credentialSubject.result[0]!, { status: "Completed" });
    expect(await acceptedByLibrary(altered)).toBe(false);
    const told = (await call("POST", "/public/verify", { body: { credential: document } })).json<Verification>();
    expect(told).toMatchObject({ result: "valid" });
    expect(told.credential.fields.map(({ value }) => value)).toContain("In progress");
  });

  it("is verified by the libraries of Digital Bazaar and the DCC and by us, until it is revoked", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const { document } = await documentOf(w, credential.id);
    expect(await acceptedByLibrary(document)).toBe(true);
    expect(await judged(document)).toMatchObject({ valid_signature: true, revocation_status: true });
    expect(await verified({ credential: document })).toMatchObject({ result: "valid" });
    await suspendCredential(w.ctx, { id: credential.id });
    expect(await verified({ credential: document })).toMatchObject({ result: "invalid", reason: "suspended" });
    await resumeCredential(w.ctx, { id: credential.id });
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    expect(await judged(document)).toMatchObject({ valid_signature: true, revocation_status: false });
    expect(await verified({ credential: document })).toMatchObject({ result: "invalid", reason: "revoked" });
  });

  it("is available as vc+jwt too, which we verify", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const path = `/v1/credentials/${credential.id}/credential.json`;
    const headers = { accept: "application/vc+jwt" };
    const answer = await call("GET", path, { token: await w.key(), headers });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/vc+jwt"]);
    expect(JSON.parse(Buffer.from(answer.text.split(".")[1]!, "base64url").toString())).toMatchObject({
      id: credential.verifyUrl,
    });
    expect(await verified({ credential: answer.text })).toMatchObject({ result: "valid" });
    const asked = async (accept: string) =>
      (await call("GET", path, { token: await w.key(), headers: { accept } })).headers.get("content-type");
    expect(await asked("*/*")).toBe("application/json");
    expect(await asked("application/vc, application/json")).toBe("application/vc");
    expect(await asked("application/vc+jwt;q=0, text/html")).toBe("application/json");
  });

  it("has the same bytes each time, also in concurrent requests and after a rotation, until it changes", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const texts = await Promise.all(Array.from({ length: 5 }, async () => (await documentOf(w, credential.id)).text));
    await rotateIssuerKey(w.ctx, {});
    texts.push((await documentOf(w, credential.id)).text);
    expect(new Set(texts).size).toBe(1);
    await updateCredential(w.ctx, { id: credential.id, data: { results: { grade: "B" }, creditsEarned: 120 } });
    const { text, document } = await documentOf(w, credential.id);
    expect(document.credentialSubject.result).toMatchObject([{ value: "B" }]);
    expect(document.proof[0]!.verificationMethod).not.toBe(
      (JSON.parse(texts[0]!) as BadgeDocument).proof[0]!.verificationMethod,
    );
    expect((await documentOf(w, credential.id)).text).toBe(text);
  });

  it("is verified with each result and the credits once, whatever their labels on the card", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const { document } = await documentOf(w, credential.id);
    const answer = await verified({ credential: document });
    const { fields } = (answer as unknown as Verification).credential;
    const told = (value: string) => fields.filter((field) => String(field.value) === value).map(({ label }) => label);
    expect([told("A"), told("120")]).toEqual([["Grade"], ["Credits"]]);
  });

  it("is signed again after its key was revoked, and an earlier copy no longer verifies", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const before = await documentOf(w, credential.id);
    expect(await verified({ credential: before.document })).toMatchObject({ result: "valid" });
    const [active] = (await getIssuer(w.ctx, {})).keys;
    await revokeIssuerKey(w.ctx, { id: active!.id });
    const stale = await verified({ credential: before.document });
    // The file may be genuine, so nobody is called a forger, and its content is not shown.
    expect(stale).toMatchObject({
      result: "invalid",
      reason: "signature_invalid",
      reasonText: expect.stringMatching(/key was revoked on .* Ask its holder/) as string,
      checks: expect.arrayContaining([expect.objectContaining({ name: "key", outcome: "fail" })]) as unknown[],
    });
    expect(JSON.stringify(stale)).not.toContain("Ada Lovelace");
    const headers = { "x-page-language": "de" };
    const german = await call("POST", "/public/verify", { body: { credential: before.document }, headers });
    expect(german.json()["reasonText"]).toMatch(/key was revoked on \d+\. \p{L}+ \d{4} um /u);
    const after = await documentOf(w, credential.id);
    expect(after.document.proof[0]!.verificationMethod).not.toBe(before.document.proof[0]!.verificationMethod);
    expect(await verified({ credential: after.document })).toMatchObject({ result: "valid" });
    expect((await documentOf(w, credential.id)).text).toBe(after.text);
  });

  it.each([
    ["hashed", [{ hashed: true, identityType: "emailAddress" }], 200],
    ["name", [{ hashed: true }, { hashed: false, identityType: "name", identityHash: "Ada Lovelace" }], 200],
    [
      "email",
      [
        { hashed: false, identityType: "emailAddress", identityHash: "ada@example.edu" },
        { hashed: false, identityType: "name", identityHash: "Ada Lovelace" },
      ],
      404,
    ],
  ] as const)("identifies the holder as the organisation chose: %s", async (recipientIdentity, identifier, onPage) => {
    const w = await world();
    const { credential } = await degree(w);
    const hashed = await documentOf(w, credential.id);
    const token = await w.key("settings:write");
    const changed = await call("PATCH", "/v1/issuer", { token, body: { recipientIdentity } });
    expect([changed.status, changed.json()["recipientIdentity"]]).toEqual([200, recipientIdentity]);
    const { document } = await documentOf(w, credential.id);
    expect(document.credentialSubject.identifier).toMatchObject(identifier);
    for (const each of [hashed.document, document])
      expect(await verified({ credential: each })).toMatchObject({ result: "valid" });
    const anyone = await call("GET", `/public/credentials/${credential.code}/credential.json`);
    expect(anyone.status).toBe(onPage);
  });

  it("has the achievement's name on its page, its card and in its document", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const page = (await call("GET", `/public/verify?code=${credential.code}`)).json<{
      credential: { title: string };
    }>();
    const card = await getCredentialCard(w.ctx, { id: credential.id });
    const { document } = await documentOf(w, credential.id);
    expect([page.credential.title, card.title, document.name]).toEqual(Array(3).fill("Master of Science"));
  });

  it("states a minimal achievement with the template's name if the template has none", async () => {
    const w = await world();
    const template = await publishedTemplate(w.ctx, { kind: "academic", name: "Attendance" });
    const { id } = await issued(w.ctx, template.id);
    const { document } = await documentOf(w, id);
    expect(document).toMatchObject({
      name: "Attendance",
      credentialSubject: { identifier: [{ identityType: "sourcedId" }], achievement: { name: "Attendance" } },
    });
    expect(await acceptedByLibrary(document)).toBe(true);
  });

  it("is refused for other kinds, other organisations, and tokens without the scope", async () => {
    const [w, other] = [await world(), await world()];
    const card = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    const path = `/v1/credentials/${card.id}/credential.json`;
    const refusal = async (token: string) => {
      const answer = await call("GET", path, { token });
      return [answer.status, answer.json()["code"]];
    };
    expect(await refusal(await w.key())).toEqual([409, "wrong_kind"]);
    expect(await refusal(await other.key())).toEqual([404, "not_found"]);
    expect(await refusal(await w.key("subjects:read"))).toEqual([403, "insufficient_scope"]);
    expect((await call("GET", `/public/credentials/${card.code}/credential.json`)).status).toBe(404);
  });

  it("is gone after the holder was erased, and nothing of it remains", async () => {
    const w = await world();
    const { credential } = await degree(w);
    await documentOf(w, credential.id);
    await eraseSubject(w.ctx, { id: credential.subjectId, reason: "Asked", includeAcademic: true });
    for (const path of [`/v1/credentials/${credential.id}`, `/public/credentials/${credential.code}`]) {
      const answer = await call("GET", `${path}/credential.json`, { token: await w.key() });
      expect([answer.status, answer.json()["code"]]).toEqual([410, "holder_erased"]);
    }
    expect(await sql(`SELECT 1 FROM badge_documents WHERE org_id = $1`, [w.orgId])).toEqual([]);
  });
});

describe("the format of a document", () => {
  it.each([
    ["application/vc+jwt;q=0.1, application/json", "application/json"],
    ["application/json;q=0.1, application/vc+jwt;q=0.9", "application/vc+jwt"],
    ["application/vc+jwt;q=0, application/ld+json;q=0.5", "application/ld+json"],
    ["text/html, */*;q=0.8", "application/json"],
  ])("is the one that Accept %s prefers: %s", async (accept, type) => {
    const w = await world();
    const { credential } = await degree(w);
    const answer = await call("GET", `/v1/credentials/${credential.id}/credential.json`, {
      token: await w.key(),
      headers: { accept },
    });
    expect(answer.headers.get("content-type")).toBe(type);
  });
});

describe("GET /public/credentials/{code}/credential.json", () => {
  it("returns the same bytes as the API, to scripts of every site, with an ETag", async () => {
    const w = await world();
    const { credential } = await degree(w);
    const path = `/public/credentials/${credential.code}/credential.json`;
    const answer = await call("GET", path);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(answer.text).toBe((await documentOf(w, credential.id)).text);
    const headers = { "if-none-match": answer.headers.get("etag")! };
    expect((await call("GET", path, { headers })).status).toBe(304);
  });

  it.each([
    ["a grade that its page does not show", { ...graded, publicFields: ["credits"] }],
    ["credits that its page does not show", { ...graded, publicFields: ["grade"] }],
    ["a holder whom its page does not name", { ...graded, publicName: false }],
  ])("reveals nothing about %s", async (_, design) => {
    const w = await world();
    const { credential } = await degree(w, design);
    expect((await call("GET", `/public/credentials/${credential.code}/credential.json`)).status).toBe(404);
  });
});
