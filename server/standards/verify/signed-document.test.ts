import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signDocument } from "../data-integrity/sign-document";
import { suiteOf } from "../data-integrity/suites";
import { isObject, type Json, type JsonObject } from "../json";
import { canonicalise } from "../json-ld/canonicalise";
import { badge, keyIssuer } from "../testing/issuer";
import { libraryVerifies } from "../testing/library";
import { offline } from "../testing/web";
import { examineCredential, isValid } from "./verify-credential";

const issuer = keyIssuer();
const created = new Date("2026-01-31T00:00:00Z");
const suite = "eddsa-rdfc-2022";
const sign = (document: JsonObject) => signDocument(document, suiteOf(suite)!, issuer, { created });
const verify = async (document: JsonObject) => {
  const verification = await examineCredential(document, offline(new Date("2026-06-01T00:00:00Z")));
  const { "@context": _, proof: __, ...read } = verification.document ?? {};
  const outcomes = Object.fromEntries(verification.checks.map(({ name, outcome }) => [name, outcome]));
  return { read, outcomes, isValid: isValid(verification), until: verification.validity.until };
};

const entry = {
  id: "https://example.edu/status#7",
  type: "BitstringStatusListEntry",
  statusPurpose: "revocation",
  statusListIndex: "7",
  statusListCredential: "https://example.edu/status",
};
const end = { validUntil: "2026-02-01T00:00:00Z" };
const plain = badge(issuer.did);
const uuid = String(plain["id"]).slice("urn:uuid:".length);
const contexts = plain["@context"] as Json[];
const types = ["EndorsementSubject", "VerifiableCredential", "OpenBadgeCredential"];
const endorsement = (subject: JsonObject): JsonObject => ({
  type: ["VerifiableCredential", "EndorsementCredential"],
  issuer: "did:web:board.example",
  validFrom: "2026-01-31T00:00:00Z",
  credentialSubject: { id: plain["id"]!, type: "EndorsementSubject", endorsementComment: "Good.", ...subject },
});

const graded = plain["credentialSubject"] as JsonObject & { achievement: JsonObject };
const description = { id: "urn:uuid:22222222-1f59-4f1e-9a57-5f3a61a2c5a1", type: ["ResultDescription"], name: "Grade" };
const achievement: JsonObject = {
  ...graded.achievement,
  fieldOfStudy: "Auditing only",
  humanCode: "X1",
  criteria: { id: "https://example.edu/c", type: "Criteria", narrative: "Attend one day." },
  resultDescription: [description],
};
const result = { id: "urn:r:1", type: ["Result"], value: "51", status: "Failed", resultDescription: description.id };
const subject: JsonObject = {
  ...graded,
  id: "did:example:ada",
  name: "Ada",
  creditsEarned: 5,
  result: [result],
  achievement,
};
const evidence = [{ id: "https://example.edu/e", type: ["Evidence"], name: "Thesis", narrative: "Short." }];
const transcript: JsonObject = {
  ...plain,
  awardedDate: "2020-01-01T00:00:00Z",
  credentialSubject: subject,
  evidence,
};
const withSubject = (more: JsonObject): JsonObject => ({ ...transcript, credentialSubject: { ...subject, ...more } });
const withResult = (more: JsonObject) => withSubject({ result: [{ ...result, ...more }] });
const withAchievement = (more: JsonObject) => withSubject({ achievement: { ...achievement, ...more } });
const text = "http://www.w3.org/2001/XMLSchema#string";

const moved = { type: types, ...end, credentialStatus: entry };
const chained = (steps: number): JsonObject =>
  Object.fromEntries(Array.from({ length: steps }, (_, i) => [`a${i}`, i === steps - 1 ? "urn:uuid:" : `a${i + 1}:`]));
const ended: JsonObject = { ...plain, ...end, credentialStatus: entry, endorsement: [endorsement({})] };
const expired11: JsonObject = {
  "@context": [
    "https://www.w3.org/2018/credentials/v1",
    "https://w3id.org/security/data-integrity/v2",
    { note: "https://example.edu/note" },
  ],
  type: ["VerifiableCredential"],
  issuanceDate: "2026-01-31T00:00:00Z",
  credentialSubject: { id: "did:example:ada" },
};

/** What the holder of a signed document can write instead of it: the title, the document and the other spelling. */
const spellings: [string, JsonObject, JsonObject][] = [
  [
    "the end and the status at an endorsement, under a prefix",
    ended,
    {
      ...plain,
      "@context": [...contexts, { u: "urn:uuid:" }],
      endorsement: [endorsement({ ...moved, id: `u:${uuid}` })],
    },
  ],
  [
    "the end and the status at an endorsement, under a prefix that another place defines otherwise",
    ended,
    {
      ...plain,
      "@context": [...contexts, { u: "urn:zzz:" }],
      endorsement: [{ "@context": { u: "urn:uuid:" }, ...endorsement({ ...moved, id: `u:${uuid}` }) }],
    },
  ],
  [
    "the end and the status at an endorsement, under ten prefixes",
    ended,
    { ...plain, "@context": [...contexts, chained(10)], endorsement: [endorsement({ ...moved, id: `a0:${uuid}` })] },
  ],
  [
    "the end in a property named as one of JSON",
    {
      ...expired11,
      issuer: { id: issuer.did, note: { id: "urn:x:1" } },
      id: "urn:x:2",
      expirationDate: end.validUntil,
    },
    {
      ...expired11,
      "@context": [
        "https://www.w3.org/2018/credentials/v1",
        "https://w3id.org/security/data-integrity/v2",
        { jsonSchema: "https://example.edu/note" },
      ],
      id: "urn:x:2",
      issuer: {
        id: issuer.did,
        jsonSchema: {
          id: "urn:x:1",
          "@included": {
            "@id": "urn:x:2",
            "https://www.w3.org/2018/credentials#expirationDate": {
              "@type": "http://www.w3.org/2001/XMLSchema#dateTime",
              "@value": end.validUntil,
            },
          },
        },
      },
    },
  ],
  ["a null beside a result's value", transcript, withResult({ value: [null, "51"] })],
  ["a result's status twice", transcript, withResult({ status: ["Failed", "Failed"] })],
  ["a result's status with no language", transcript, withResult({ status: { "@value": "Failed", "@language": null } })],
  ["a result's status with the type of texts", transcript, withResult({ status: { "@value": "Failed", type: text } })],
  ["a result's status with a context", transcript, withResult({ status: { "@value": "Failed", "@context": {} } })],
  ["nulls beside credits and results", transcript, withSubject({ creditsEarned: [null, 5], result: [null, result] })],
  ["a null beside the criteria", transcript, withAchievement({ criteria: [null, achievement["criteria"]!] })],
  ["the award's day twice", transcript, { ...transcript, awardedDate: [transcript["awardedDate"]!, null] }],
  ["a null beside the name", transcript, withSubject({ name: [null, "Ada"] })],
  ["lists in lists", transcript, withSubject({ achievement: [[achievement]] })],
  [
    "the achievement in two parts",
    transcript,
    withSubject({
      achievement: [{ id: achievement["id"]!, type: ["Achievement"], name: achievement["name"]! }, achievement],
    }),
  ],
  [
    "the criteria in two parts",
    transcript,
    withAchievement({
      criteria: [
        { id: "https://example.edu/c", type: "Criteria" },
        { id: "https://example.edu/c", narrative: "Attend one day." },
      ],
    }),
  ],
  [
    "a result in two parts",
    transcript,
    withSubject({
      result: [
        { id: "urn:r:1", type: ["Result"], value: "51" },
        { ...result, value: null },
      ],
    }),
  ],
  [
    "the subject in two parts",
    transcript,
    {
      ...transcript,
      credentialSubject: [
        { ...subject, result: null, creditsEarned: null },
        { id: "did:example:ada", type: ["AchievementSubject"], result: [result], creditsEarned: 5 },
      ],
    },
  ],
];

describe("a signed document in another spelling of the same statements", () => {
  it.each(spellings)("is read the same or refused: %s", async (_, original, spelling) => {
    const given: JsonObject = { issuer: issuer.did, ...original };
    const signed = await sign(given);
    const other: JsonObject = { ...spelling, proof: signed.proof as Json };
    const [before, after] = [await verify(signed), await verify(other)];
    expect(before.outcomes["signature"]).toBe("pass");
    expect(await libraryVerifies(other, suite, created)).toBe(true);
    if (after.outcomes["format"] === "fail") return;
    expect(after).toEqual(before);
  });

  it("is undecided where its issuer signed two credentials, of which either may be the file", async () => {
    const { "@context": context, ...inner }: JsonObject = { ...plain, ...end };
    const root = {
      id: "urn:uuid:11111111-1f59-4f1e-9a57-5f3a61a2c5a1",
      type: ["VerifiableCredential", "EndorsementCredential"],
      name: "Endorsement",
      issuer: plain["issuer"]!,
      validFrom: plain["validFrom"]!,
      credentialSubject: { id: plain["id"]!, type: ["EndorsementSubject"], endorsementComment: "Good" },
    };
    const signed = await sign({ ...plain, ...end, endorsement: [root] });
    const other: JsonObject = {
      "@context": context!,
      ...root,
      credentialSubject: { ...root.credentialSubject, ...inner, type: types, endorsement: [{ id: root.id }] },
      proof: signed.proof as Json,
    };
    for (const each of [signed, other])
      expect((await verify(each)).outcomes).toMatchObject({ signature: "pass", content: "error" });
  });

  it("reads the statements of a P-256 key in the same way", async () => {
    const curve = keyIssuer("P-256");
    const document = { ...transcript, issuer: curve.did };
    const signed = await signDocument(document, suiteOf("ecdsa-rdfc-2019")!, curve, { created });
    const other = { ...withResult({ status: ["Failed", null] }), issuer: curve.did, proof: signed.proof };
    expect(await verify(other)).toEqual(await verify(signed));
    expect((await verify(signed)).isValid).toBe(true);
  });

  it("never shows something else under a valid result, in 60 random spellings", async () => {
    const signed = await sign(transcript);
    const before = await verify(signed);
    expect(before).toMatchObject({ isValid: true, read: { credentialSubject: { result: { status: "Failed" } } } });
    const graph = await canonicalise(transcript);
    let kept = 0;
    for (let seed = 0; seed < 60; seed++) {
      const spelling = respelled(transcript, randomOf(seed));
      if ((await canonicalise(spelling).catch(() => "")) !== graph) continue;
      const after = await verify({ ...spelling, proof: signed.proof as Json });
      if (!after.isValid) continue;
      kept++;
      expect(after, `seed ${seed}`).toEqual(before);
    }
    expect(kept).toBeGreaterThan(10);
  });
});

describe("a document that uses one id for two things", () => {
  const id = "https://example.edu/a";
  const outcomesOf = async (document: JsonObject) => (await verify(await sign(document))).outcomes;
  const criteriaAndEvidence = (criteria: JsonObject, ofEvidence: JsonObject): JsonObject => ({
    ...withAchievement({ criteria: { id, type: "Criteria", ...criteria } }),
    evidence: [{ id, type: ["Evidence"], ...ofEvidence }],
  });

  it("is undecided if both have a value of the same property", async () => {
    const document = criteriaAndEvidence({ narrative: "Attend." }, { narrative: "A thesis." });
    expect(await outcomesOf(document)).toMatchObject({ signature: "pass", content: "error" });
    const named = { ...withAchievement({ id }), evidence: [{ id, type: ["Evidence"], name: "PhD" }] };
    expect(await outcomesOf(named)).toMatchObject({ signature: "pass", content: "error" });
  });

  it("is read the same wherever a statement of one of them is written", async () => {
    const narrative = { narrative: "A thesis." };
    const signed = await sign(criteriaAndEvidence({}, narrative));
    const moved = { ...criteriaAndEvidence(narrative, {}), proof: signed.proof as Json };
    expect(await libraryVerifies(moved, suite, created)).toBe(true);
    expect(await verify(moved)).toEqual(await verify(signed));
  });

  it.each<[string, JsonObject]>([
    ["an endorsement of the badge", { endorsement: [endorsement({})] }],
    ["a holder who is the issuer", { credentialSubject: { ...subject, id: issuer.did, name: "Example University" } }],
    [
      "the criteria on the achievement's own page",
      {
        credentialSubject: {
          ...subject,
          achievement: { ...achievement, criteria: { id: achievement["id"]!, narrative: "Pass." } },
        },
      },
    ],
  ])("stays valid with %s", async (_, more) => {
    expect((await verify(await sign({ ...transcript, ...more }))).isValid).toBe(true);
  });

  it("is undecided if its end is stated twice", async () => {
    const twice = { ...plain, validUntil: "2027-01-01T00:00:00Z", endorsement: [endorsement({ type: types, ...end })] };
    expect(await outcomesOf(twice)).toMatchObject({ signature: "pass", content: "error" });
  });
});

/** A sequence of numbers from 0 up to 1, the same for each seed. */
function randomOf(seed: number): () => number {
  let at = 0;
  return () => createHash("sha256").update(`${seed}:${at++}`).digest().readUInt32BE() / 2 ** 32;
}

/** Writes a document in another way. Most changes keep its statements. */
function respelled(document: JsonObject, random: () => number): JsonObject {
  const value = (given: Json, name: string): Json => {
    if (name === "id" || name === "type") return given;
    if (Array.isArray(given)) return inList(given.map((each) => value(each, name)));
    if (!isObject(given)) return inList(random() < 0.2 ? boxed(given) : given);
    const node = object(given);
    const { id } = given;
    if (id === undefined || random() < 0.6) return random() < 0.2 ? inList(node) : node;
    const split = Object.entries(node).map(
      ([key, each]) => [key, each, key === "id" || key === "type" || random() < 0.5] as const,
    );
    return [
      Object.fromEntries(split.filter(([, , isFirst]) => isFirst).map(([key, each]) => [key, each])),
      {
        id,
        ...(given["type"] !== undefined && { type: given["type"] }),
        ...Object.fromEntries(split.filter(([, , isFirst]) => !isFirst).map(([key, each]) => [key, each])),
      },
    ];
  };
  const inList = (given: Json): Json => {
    if (random() < 0.7) return given;
    const list = [null, given].flat() as Json[];
    return isObject(list.at(-1)) || random() < 0.5 ? list : [...list, ...list];
  };
  const boxed = (given: Json): Json =>
    typeof given === "string" && random() < 0.5 ? { "@value": given, "@language": null } : given;
  const object = (given: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(given)
        .toSorted(() => (random() < 0.5 ? -1 : 1))
        .map(([name, each]) => [name, value(each!, name)]),
    );
  const kept = ["@context", "id", "type", "issuer", "validFrom", "validUntil", "name"];
  return Object.fromEntries(
    Object.entries(document).map(([name, each]) => [name, kept.includes(name) ? each : value(each!, name)]),
  );
}
