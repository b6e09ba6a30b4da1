import { describe, expect, it } from "vitest";
import { signDocument } from "../data-integrity/sign-document";
import { suiteOf } from "../data-integrity/suites";
import type { JsonObject } from "../json";
import { badge, keyIssuer } from "../testing/issuer";
import { libraryVerifies } from "../testing/library";
import { offline } from "../testing/web";
import { checkContent } from "./check-content";
import { verifyCredential } from "./verify-credential";

const id = "https://example.edu/a";
const document = (achievement: JsonObject, evidence: JsonObject): JsonObject => ({
  issuer: { id: "did:web:example.edu", type: ["Profile"], name: "Example", image: { id: "https://example.edu/logo" } },
  credentialSubject: { achievement: { ...achievement, creator: { id: "did:web:example.edu", type: "Profile" } } },
  evidence: [evidence],
});

describe("two things with one id", () => {
  it("make it impossible to tell which is called what", () => {
    const check = checkContent(document({ id, name: "Course" }, { id, name: "PhD" }));
    expect(check).toMatchObject({ name: "content", outcome: "error", detail: expect.stringContaining(id) });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["other ids", { id, name: "Course" }, { id: `${id}#2`, name: "PhD" }],
    ["no ids", { name: "Course" }, { name: "PhD" }],
    ["the same statements", { id, name: "Course" }, { name: ["Course"], "@id": id }],
    ["the criteria on the achievement's own page", { id, name: "Course", criteria: { id, narrative: "Pass." } }, {}],
    ["an endorsement of it", { id, name: "Course", endorsement: [{ credentialSubject: { id, name: "Course" } }] }, {}],
    [
      "the same thing in full and in short",
      { id, image: { id: "https://e.org/i", type: "Image" } },
      { id, image: "https://e.org/i" },
    ],
  ])("are one thing with %s", (_, achievement, evidence) => {
    expect(checkContent(document(achievement, evidence))).toBeUndefined();
  });
});

describe("a statement that can be moved to another part with the same id", () => {
  const criteria = (more: JsonObject) => ({ name: "Course", criteria: { type: "Criteria", ...more } });

  it.each<[string, JsonObject, JsonObject]>([
    ["of the evidence to the criteria", criteria({ id }), { id, type: "Evidence", narrative: "A doctoral thesis." }],
    ["of the criteria to the evidence", criteria({ id, narrative: "Defend a thesis." }), { id, type: "Evidence" }],
    [
      "to criteria that stand there by their id alone",
      { name: "Course", criteria: id },
      { id, narrative: "A thesis." },
    ],
    ["of the achievement to the evidence", { id, name: "Course", description: "Long" }, { id, name: "Course" }],
  ])("leaves undecided what was issued: %s", (_, achievement, evidence) => {
    expect(checkContent(document(achievement, evidence))).toMatchObject({ name: "content", outcome: "error" });
  });

  it.each(["eddsa-rdfc-2022", "eddsa-jcs-2022"])(
    "is accepted by other verifiers where it was moved, unless %s signs the text itself",
    async (suite) => {
      const issuer = keyIssuer();
      const badgeOf = (ofCriteria: JsonObject, ofEvidence: JsonObject) => {
        const plain = badge(issuer.did);
        const subject = plain["credentialSubject"] as JsonObject & { achievement: JsonObject };
        return {
          ...plain,
          credentialSubject: {
            ...subject,
            achievement: { ...subject.achievement, criteria: { id, type: "Criteria", ...ofCriteria } },
          },
          evidence: [{ id, type: ["Evidence"], ...ofEvidence }],
        } as JsonObject;
      };
      const narrative = { narrative: "Defend a doctoral thesis." };
      const created = new Date("2026-01-31T00:00:00Z");
      const signed = await signDocument(badgeOf({}, narrative), suiteOf(suite)!, issuer, { created });
      const moved = { ...badgeOf(narrative, {}), proof: signed.proof };
      const isTextSigned = suite === "eddsa-jcs-2022";
      expect([await libraryVerifies(signed, suite), await libraryVerifies(moved, suite)]).toEqual([
        true,
        !isTextSigned,
      ]);
      for (const each of [signed, moved]) {
        const { checks } = await verifyCredential(each, offline());
        const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
        expect(outcomes).toMatchObject(
          isTextSigned ? { signature: each === signed ? "pass" : "fail" } : { signature: "pass", content: "error" },
        );
        expect("content" in outcomes).toBe(!isTextSigned);
      }
    },
  );
});

/** A badge with an endorsement of itself, as Open Badges defines it: the id of its subject is that of the badge. */
const endorsed = (
  issuer: string,
  ofBadge: JsonObject,
  ofEndorsed: JsonObject,
  context: JsonObject[] = [],
): JsonObject => {
  const plain = badge(issuer);
  return {
    ...plain,
    "@context": [...(plain["@context"] as string[]), ...context],
    ...ofBadge,
    endorsement: [
      {
        type: ["VerifiableCredential", "EndorsementCredential"],
        issuer: "did:web:board.example",
        validFrom: "2026-01-31T00:00:00Z",
        credentialSubject: { id: plain["id"]!, type: "EndorsementSubject", endorsementComment: "Good.", ...ofEndorsed },
      },
    ],
  };
};
const entry = {
  id: "https://example.edu/status#7",
  type: "BitstringStatusListEntry",
  statusPurpose: "revocation",
  statusListIndex: "7",
  statusListCredential: "https://example.edu/status",
};
/** The types of the badge. They are stated of its id already, so they change nothing at the other place. */
const type = ["EndorsementSubject", "VerifiableCredential", "OpenBadgeCredential"];

describe("an endorsement of a badge", () => {
  const issuer = keyIssuer();
  const created = new Date("2026-01-31T00:00:00Z");
  const suite = suiteOf("eddsa-rdfc-2022")!;
  const outcomes = async (document: JsonObject) =>
    Object.fromEntries(
      (await verifyCredential(document, offline(new Date("2026-06-01T00:00:00Z")))).checks.map((check) => [
        check.name,
        check.outcome,
      ]),
    );

  it("leaves the badge valid", async () => {
    const signed = await signDocument(endorsed(issuer.did, {}, {}), suite, issuer, { created });
    expect(Object.values(await outcomes(signed))).not.toContain("error");
    expect(await outcomes(signed)).toMatchObject({ signature: "pass", validity_period: "pass" });
  });

  it.each<[string, JsonObject]>([
    ["the end of an expired badge", { validUntil: "2026-02-01T00:00:00Z" }],
    ["the status of a revoked badge", { credentialStatus: entry }],
    ["the name of a badge", { name: "Pass" }],
  ])("leaves the badge undecided where it holds %s, which the signature allows", async (_, stated) => {
    const signed = await signDocument(endorsed(issuer.did, stated, {}), suite, issuer, { created });
    const { name, ...rest } = endorsed(issuer.did, {}, { type, ...stated });
    const moved = { ...("name" in stated ? rest : { ...rest, name: name! }), proof: signed.proof };
    expect(await libraryVerifies(moved, "eddsa-rdfc-2022", created)).toBe(true);
    expect(await outcomes(moved)).toMatchObject({ signature: "pass", content: "error" });
  });

  it("leaves the badge undecided where it names the badge by a prefix that the document defines", async () => {
    const stated = { validUntil: "2026-02-01T00:00:00Z" };
    const signed = await signDocument(endorsed(issuer.did, stated, {}), suite, issuer, { created });
    const uuid = String(badge(issuer.did)["id"]).slice("urn:uuid:".length);
    const moved = {
      ...endorsed(issuer.did, {}, { type, ...stated, id: `u:${uuid}` }, [{ u: "urn:uuid:" }]),
      proof: signed.proof,
    };
    expect(await libraryVerifies(moved, "eddsa-rdfc-2022", created)).toBe(true);
    expect(await outcomes(moved)).toMatchObject({ signature: "pass", content: "error" });
  });
});

it("a holder who issued the badge to themselves has one name", () => {
  const self = "did:web:ada.example";
  const issued = {
    issuer: { id: self, type: ["Profile"], name: "Ada", url: "https://ada.example" },
    credentialSubject: { id: self, type: ["AchievementSubject"], achievement: { name: "Course" } },
  };
  expect(checkContent(issued)).toBeUndefined();
});
