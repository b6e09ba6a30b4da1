import { describe, expect, it } from "vitest";
import { germanWords } from "@/components/public/bundle/german/german";
import { sayOf, speak } from "@/components/public/words";
import { readId } from "@/server/core/ids";
import { reissueCredential } from "@/server/credentials/reissue";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { signingKeyOf } from "@/server/issuers/signing-key";
import { statusEntriesOf, statusPlacesOf } from "@/server/issuers/status/entries";
import { updateOrganisation } from "@/server/organisations/update";
import { bakePng } from "@/server/standards/baking/png";
import { bakeSvg } from "@/server/standards/baking/svg";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { suiteOf } from "@/server/standards/data-integrity/suites";
import type { JsonObject } from "@/server/standards/json";
import { statusEntry } from "@/server/standards/status-list/list-credential";
import { badge, keyIssuer } from "@/server/standards/testing/issuer";
import { publishedAchievement } from "@/server/testing/achievements";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { flushVerifications } from "@/server/verification/observe";
import type { Verification } from "@/server/verification/view";

// The document of a credential that this service issued is verified as its code is, and by its signature (decision 440).

const rdfc = suiteOf("eddsa-rdfc-2022")!;
const created = new Date("2026-01-31T00:00:00Z");
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';

const graded = {
  publicFields: ["grade"],
  front: { fields: [{ key: "grade", label: "Grade", binding: "credential.data.results.grade" }] },
};

async function degree(w: World, design: object = graded, more: object = {}) {
  const achievement = await publishedAchievement(w.ctx, {
    name: "Master of Science",
    criteria: { narrative: "**120 credits**, of which 30 for the thesis." },
    resultDescriptions: [
      { key: "grade", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B"] },
      {
        key: "thesis",
        name: "Thesis",
        resultType: "RubricCriterionLevel",
        rubricLevels: [{ key: "passed", name: "Passed with distinction" }],
      },
    ],
    fieldOfStudy: "Computer science",
    specialization: "Distributed systems",
    humanCode: "CS-MSC",
  });
  const template = await publishedTemplate(w.ctx, {
    name: "Certificate",
    kind: "academic",
    achievementId: achievement.id,
    design: design as typeof graded,
  });
  return issued(w.ctx, template.id, {
    data: { results: { grade: "A", thesis: "passed" }, creditsEarned: 120 },
    expiresAt: "2990-01-01T00:00:00Z",
    ...more,
  });
}

async function documentOf(w: World, id: string, accept = "application/json"): Promise<string> {
  const answer = await call("GET", `/v1/credentials/${id}/credential.json`, {
    token: await w.key(),
    headers: { accept },
  });
  expect(answer.status).toBe(200);
  return answer.text;
}

const byDocument = async (credential: string | JsonObject) =>
  inGerman((await call("POST", "/public/verify", { body: { credential } })).json<Verification>());
const byCode = async (code: string) =>
  inGerman((await call("GET", `/public/verify?code=${code}`)).json<Verification>());

/** The public pages need a German translation of every sentence that this file sees on a document of ours. */
function inGerman(answer: Verification): Verification {
  speak(germanWords);
  const sentences = [answer.reasonText, ...answer.checks.map(({ detail }) => detail)];
  const english = sentences.filter((each) => each !== null && sayOf(each) === each);
  speak();
  expect(english).toEqual([]);
  return answer;
}

const outcomes = ({ checks }: Verification) => Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
const told = ({ credential }: Verification) =>
  Object.fromEntries(credential.fields.map(({ label, value }) => [label, value]));

/**
 * The part of a code's answer that a document's answer shares: everything but the fields, the checks and the issuer's
 * DID.
 */
function shared({ result, state, reason, reasonText, credential }: Verification) {
  const { fields: _, issuer, ...rest } = credential;
  return { result, state, reason, reasonText, credential: { ...rest, issuer: { ...issuer, did: null } } };
}

/** Signs a document with an organisation's key, which only this service or a thief of the key can do. */
async function signedBy(w: World, more: JsonObject) {
  const key = await signingKeyOf(w.ctx);
  return signDocument(badge(key.did, more), rdfc, key, { created });
}

describe("the document of a credential of this service", () => {
  it("gets the same answer as its code: while it is valid, suspended, revoked and replaced", async () => {
    const w = await world();
    const states: [string, (id: string) => Promise<unknown>][] = [
      ["valid", async () => undefined],
      ["suspended", (id) => suspendCredential(w.ctx, { id, reason: "Fees are not paid" })],
      ["revoked", (id) => revokeCredential(w.ctx, { id, reason: "Plagiarism" })],
      ["superseded", (id) => reissueCredential(w.ctx, { id, linkPublicly: true })],
    ];
    for (const [name, change] of states) {
      const { id, code } = await degree(w);
      const document = await documentOf(w, id);
      await change(id);
      const answer = await byDocument(document);
      expect(answer.reason ?? "valid").toBe(name);
      expect(shared(answer)).toEqual(shared(await byCode(code)));
      const checks = answer.checks.map(({ name, detail }) => `${name}: ${detail}`);
      expect(new Set(checks).size).toBe(checks.length);
      expect(answer.credential).toMatchObject({
        code,
        kind: "academic",
        title: "Master of Science",
        issuer: { name: "Test Organisation", nameVerified: true, did: expect.stringMatching(/^did:web:/) },
        subject: { displayName: "Ada Lovelace" },
      });
      expect(outcomes(answer)).toMatchObject({ code_exists: "pass", signature: "pass", issuer_identity: "pass" });
      if (name === "revoked") expect(answer.credential).toMatchObject({ revocationReason: "Plagiarism" });
      if (name === "revoked") expect(answer.credential.revokedAt).not.toBeNull();
      if (name === "suspended") expect(answer.reasonText).toContain("Fees are not paid");
      if (name === "superseded") expect(answer.credential.supersededBy).not.toBeNull();
    }
  });

  it("gets the same answer for its page's address as for its code", async () => {
    const { code, verifyUrl } = await degree(await world());
    const answer = await call("POST", "/public/verify", { body: { code: verifyUrl } });
    expect([answer.status, answer.json<Verification>().credential.code]).toEqual([200, code]);
    expect((await call("POST", "/public/verify", { body: { code: `https://example.org/c/${code}` } })).status).toBe(
      404,
    );
  });

  it("gets the same answer in every form and at every endpoint", async () => {
    const w = await world();
    const token = await w.key();
    const { id, code } = await degree(w);
    const [json, jwt] = [await documentOf(w, id), await documentOf(w, id, "application/vc+jwt")];
    const file = (raw: Uint8Array, type: string) => ({ raw: raw as BodyInit, headers: { "content-type": type } });
    const answers = [
      await call("POST", "/public/verify", { body: { credential: JSON.parse(json) as JsonObject } }),
      await call("POST", "/public/verify", { body: { credential: jwt } }),
      await call("GET", `/public/verify?token=${jwt}`),
      await call("POST", "/v1/verify", { token, body: { credential: json } }),
      await call("POST", "/public/verify", file(bakePng(png, json), "image/png")),
      await call("POST", "/v1/verify", { token, ...file(Buffer.from(bakeSvg(svg, jwt)), "image/svg+xml") }),
    ];
    for (const { json } of answers)
      expect(json<Verification>()).toMatchObject({ result: "valid", credential: { code } });
  });

  it("shows what the document states in addition to what the template makes public", async () => {
    const w = await world();
    const { id } = await degree(w);
    expect(told(await byDocument(await documentOf(w, id)))).toEqual({
      Grade: "A",
      Description: "A course about any subject.",
      "Field of study": "Computer science",
      Specialisation: "Distributed systems",
      "Catalogue code": "CS-MSC",
      Thesis: "Passed with distinction",
      "Credits earned": "120",
      Criteria: "**120 credits**, of which 30 for the thesis.",
    });
  });

  it("that was altered is invalid, and reveals nothing about the credential", async () => {
    const w = await world();
    const { id } = await degree(w);
    const document = JSON.parse(await documentOf(w, id)) as JsonObject;
    const answer = await byDocument({ ...document, name: "Doctor of Science" });
    expect(answer).toMatchObject({
      result: "invalid",
      reason: "signature_invalid",
      credential: {
        code: "",
        kind: "external",
        subject: { displayName: "" },
        issuer: { slug: "", nameVerified: false },
      },
    });
    expect(JSON.stringify(answer)).not.toContain("Lovelace");
  });

  it("is refused after a revocation even if its list cannot be read, and undecided before", async () => {
    const w = await world();
    const { id, verifyUrl } = await degree(w);
    const credentialStatus = statusEntry("https://localhost:1/revocation", "revocation", 7);
    const document = await signedBy(w, { id: verifyUrl, credentialStatus });
    expect(await byDocument(document)).toMatchObject({ result: "indeterminate", reason: "status_unavailable" });
    await revokeCredential(w.ctx, { id, reason: "Plagiarism" });
    expect(await byDocument(document)).toMatchObject({
      result: "invalid",
      state: "revoked",
      reason: "revoked",
      credential: { revocationReason: "Plagiarism" },
    });
  });

  it("has expired by its own date, although the credential was extended since", async () => {
    const w = await world();
    const { verifyUrl } = await degree(w);
    expect(await byDocument(await signedBy(w, { id: verifyUrl, validUntil: "2026-03-01T00:00:00Z" }))).toMatchObject({
      result: "invalid",
      state: "expired",
      reason: "expired",
      reasonText: expect.stringContaining("2026"),
      credential: { expiresAt: "2026-03-01T00:00:00.000Z" },
    });
  });

  describe("that was signed when two of its parts could have the same id", () => {
    const page = "https://example.edu/evidence";
    const data = {
      results: { grade: "A", thesis: "passed" },
      evidence: [{ name: "Essay", url: page }, { name: "Talk" }],
    };
    /** The document of a credential as it was signed then, and the text of the file after `swap`. */
    async function swapped(change: (document: JsonObject) => void, swap: (document: JsonObject) => void) {
      const w = await world();
      const { id } = await degree(w, graded, { data });
      const { proof: _, ...document } = JSON.parse(await documentOf(w, id)) as JsonObject;
      change(document);
      const file = await signDocument(document, rdfc, await signingKeyOf(w.ctx), { created });
      const genuine = await byDocument(file);
      const altered = structuredClone(file) as JsonObject;
      swap(altered);
      return { genuine, altered: await byDocument(altered) };
    }
    const pieces = (document: JsonObject) => document["evidence"] as JsonObject[];
    const achievement = (document: JsonObject) =>
      (document["credentialSubject"] as JsonObject)["achievement"] as JsonObject;
    const exchange = (a: JsonObject, b: JsonObject, name: string) => ([a[name], b[name]] = [b[name], a[name]]);

    it("is invalid if the name of its achievement was swapped with that of evidence", async () => {
      const { altered } = await swapped(
        (document) => (pieces(document)[0]!["id"] = achievement(document)["id"]),
        (document) => exchange(achievement(document), pieces(document)[0]!, "name"),
      );
      expect(altered).toMatchObject({
        result: "invalid",
        reason: "signature_invalid",
        reasonText: expect.stringMatching(/^Somebody altered it: what it says of the achievement/),
        credential: { fields: [], subject: { displayName: "" } },
      });
      expect(outcomes(altered)).not.toHaveProperty("record");
    });

    it("is indeterminate if the names of two pieces of evidence were swapped, as it is if they were corrected", async () => {
      const { genuine, altered } = await swapped(
        (document) => (pieces(document)[1]!["id"] = page),
        (document) => exchange(...(pieces(document) as [JsonObject, JsonObject]), "name"),
      );
      expect(altered).toMatchObject({ result: "indeterminate", reasonText: expect.stringContaining(page) });
      expect(outcomes(altered)).toMatchObject({ signature: "pass", content: "error" });
      expect(outcomes(altered)).not.toHaveProperty("record");
      expect(JSON.stringify(altered.credential.fields)).not.toContain("Talk");
      expect(genuine.result).toBe("indeterminate");
    });
  });

  it("says that the record was corrected since, and shows only what the record says", async () => {
    const w = await world();
    const token = await w.key();
    const { id, code } = await degree(w);
    const document = await documentOf(w, id);
    expect(outcomes(await byDocument(document))).not.toHaveProperty("record");
    const data = { results: { grade: "B", thesis: null }, creditsEarned: 90 };
    expect((await call("PATCH", `/v1/credentials/${id}`, { token, body: { data } })).status).toBe(200);
    const answer = await byDocument(document);
    expect(answer).toMatchObject({ result: "valid", credential: { code } });
    expect(answer.checks.find(({ name }) => name === "record")).toMatchObject({
      outcome: "skipped",
      detail: expect.stringMatching(/^The record was corrected after this file was signed: Grade, Thesis, credits\./),
    });
    expect(told(answer)).toMatchObject({ Grade: "B" });
    expect(Object.keys(told(answer)).filter((label) => /Grade|Thesis|Credits/.test(label))).toEqual(["Grade"]);
    expect(outcomes(await byDocument(await documentOf(w, id)))).not.toHaveProperty("record");
  });

  it("marks a result that the issuer has changed since as taken from the file", async () => {
    const w = await world();
    const { verifyUrl } = await degree(w);
    const subject = badge("did:web:x")["credentialSubject"] as JsonObject;
    const achievement = {
      ...(subject["achievement"] as JsonObject),
      resultDescription: [{ id: "urn:grade", type: ["ResultDescription"], name: "Grade", resultType: "LetterGrade" }],
    };
    const result = [{ type: ["Result"], resultDescription: "urn:grade", value: "B" }];
    const document = await signedBy(w, { id: verifyUrl, credentialSubject: { ...subject, achievement, result } });
    expect(told(await byDocument(document))).toMatchObject({ Grade: "A", "Grade, as the file states": "B" });
  });

  it("reaches nothing of another organisation by a forged id, and no credential of another kind", async () => {
    const [w, other] = [await world(), await world()];
    const theirs = await degree(other);
    const card = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    for (const { verifyUrl, code } of [theirs, card]) {
      const answer = await byDocument(await signedBy(w, { id: verifyUrl }));
      expect(answer.credential).toMatchObject({ code: "", kind: "external", issuer: { nameVerified: true } });
      expect(outcomes(answer)).toMatchObject({ code_exists: "skipped" });
      expect(JSON.stringify(answer.credential).replace(verifyUrl, "")).not.toMatch(/Lovelace|Certificate|Membership/);
      expect(answer.credential.code).not.toBe(code);
    }
    await flushVerifications();
    for (const { orgId } of [w, other])
      expect((await eventsOf(orgId)).filter(({ type }) => /verif/.test(type))).toEqual([]);
  });

  it("names nobody once the holder was erased, and tells state and issuer", async () => {
    const w = await world();
    const credential = await degree(w);
    const document = await documentOf(w, credential.id);
    await eraseSubject(w.ctx, { id: credential.subjectId, reason: "Asked" });
    const answer = await byDocument(document);
    expect(shared(answer)).toEqual(shared(await byCode(credential.code)));
    expect(answer).toMatchObject({
      result: "valid",
      state: "active",
      credential: { subject: { displayName: "", erased: true }, fields: [], issuer: { name: "Test Organisation" } },
    });
    expect(JSON.stringify(answer)).not.toMatch(/Lovelace|distinction/);
  });

  it("names no holder if the template keeps the name private", async () => {
    const w = await world();
    const { id } = await degree(w, { ...graded, publicName: false });
    const answer = await byDocument(await documentOf(w, id));
    expect(answer.credential.subject).toEqual({ displayName: "", erased: false, withheld: false, hidden: true });
    expect(JSON.stringify(answer)).not.toContain("Lovelace");
  });

  it("says that nobody confirmed the name of an organisation that renamed itself", async () => {
    const w = await world();
    const { id } = await degree(w);
    const document = await documentOf(w, id);
    await updateOrganisation(w.ctx, { name: "Harvard" });
    const answer = await byDocument(document);
    expect(answer).toMatchObject({ result: "valid", credential: { issuer: { name: "Harvard", nameVerified: false } } });
    expect(outcomes(answer)).toMatchObject({ issuer_identity: "skipped" });
  });

  it("emits the same events as its code, coalesced with them", async () => {
    const w = await world();
    const { id, code } = await degree(w);
    const document = await documentOf(w, id);
    await byDocument(document);
    await byDocument(document);
    await byCode(code);
    await suspendCredential(w.ctx, { id, reason: "Fees" });
    await byDocument(document);
    await call("POST", "/v1/verify", { token: await w.key(), body: { credential: document } });
    await flushVerifications();
    // The events of one window can be written in two parts, so sum up the counts.
    const counts: Record<string, number> = {};
    for (const { type, data } of await eventsOf(w.orgId)) {
      const { object, via, count } = data.object;
      if (object !== "verification") continue;
      expect(data.object).toMatchObject({ credentialId: id, code });
      counts[`${type} ${via as string}`] = (counts[`${type} ${via as string}`] ?? 0) + Number(count);
    }
    expect(counts).toEqual({
      "credential.verified public": 3,
      "credential.verify_refused public": 1,
      "credential.verify_refused api": 1,
    });
  });

  it("that ended before its extended credential says so and what to do", async () => {
    const w = await world();
    const { id, code } = await degree(w, graded, { expiresAt: "2980-01-01T00:00:00Z" });
    const key = await signingKeyOf(w.ctx);
    const old = JSON.parse(await documentOf(w, id)) as JsonObject;
    const ended: JsonObject = { ...old, validUntil: "2026-01-01T00:00:00Z", validFrom: "2025-01-01T00:00:00Z" };
    const { proof: _, ...unsigned } = ended;
    const answer = await byDocument(await signDocument(unsigned as JsonObject, rdfc, key, { created }));
    expect(answer).toMatchObject({ result: "invalid", reason: "expired", credential: { code } });
    expect(answer.reasonText).toMatch(
      /Only this file ended: the credential was extended since, and is valid through 31 December 2979/,
    );
    expect(answer.reasonText).toMatch(/Ask its holder for a new file, or check its code/);
    await revokeCredential(w.ctx, { id, reason: "r" });
    const revoked = await byDocument(await signDocument(unsigned as JsonObject, rdfc, key, { created }));
    expect(revoked.reasonText).not.toContain("extended");
  });

  it("without a status entry is still shown as suspended", async () => {
    const w = await world();
    const { id, verifyUrl } = await degree(w);
    const place = (await statusPlacesOf(w.ctx, [readId("crd", id)])).get(readId("crd", id))!;
    await suspendCredential(w.ctx, { id });
    for (const more of [{}, { credentialStatus: statusEntriesOf(place) }])
      expect(await byDocument(await signedBy(w, { id: verifyUrl, ...more }))).toMatchObject({ reason: "suspended" });
  });
});

describe("a document of this service that was altered", () => {
  const foreign = "https://example.org/a-vocabulary-of-nobody/v1";
  const proofOf = ({ proof }: JsonObject, did: string): JsonObject => ({
    ...(proof as JsonObject[])[0],
    verificationMethod: `${did}#${did.slice("did:key:".length)}`,
  });
  const forge = (document: JsonObject) => ({
    ...document,
    "@context": [...(document["@context"] as string[]), foreign],
    credentialSubject: { ...(document["credentialSubject"] as JsonObject), name: "Mallory Forged" },
  });

  it("is not valid, and its claims are not shown, if a vocabulary was added that this service never signs with", async () => {
    const w = await world();
    const { id } = await degree(w);
    const own = JSON.parse(await documentOf(w, id)) as JsonObject;
    const stranger = keyIssuer();
    for (const document of [
      own,
      { ...own, issuer: { ...(own["issuer"] as JsonObject), id: stranger.did }, proof: proofOf(own, stranger.did) },
    ]) {
      const answer = await byDocument(forge(document));
      expect([answer.result, answer.reason]).toEqual(["invalid", "signature_invalid"]);
      expect(answer.reasonText).toContain("altered");
      expect(JSON.stringify(answer.credential)).not.toContain("Mallory");
      expect(outcomes(answer)).toMatchObject({ signature: "fail" });
    }
  });
});
