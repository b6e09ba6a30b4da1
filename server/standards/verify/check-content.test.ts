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
