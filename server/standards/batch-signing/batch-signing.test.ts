import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suiteOf } from "../data-integrity/suites";
import { signDocument } from "../data-integrity/sign-document";
import type { Json, JsonObject } from "../json";
import { statusEntry } from "../status-list/list-credential";
import { badge, keyIssuer } from "../testing/issuer";
import { libraryVerifies } from "../testing/library";
import { signBatch } from "./sign-batch";
import { SigningTemplate } from "./signing-template";
import { filled, slot } from "./slots";

const issuer = keyIssuer();
const created = new Date("2026-01-31T00:00:00Z");
const template = badge(issuer.did, {
  id: slot("url", "id"),
  name: slot("text", "title"),
  validFrom: slot("text", "validFrom"),
  credentialSubject: {
    id: slot("url", "holder"),
    type: ["AchievementSubject"],
    identifier: [
      {
        type: "IdentityObject",
        hashed: true,
        identityHash: slot("text", "identity"),
        identityType: "emailAddress",
        salt: slot("text", "salt"),
      },
    ],
    achievement: {
      id: "https://example.edu/achievements/bsc",
      type: ["Achievement"],
      name: slot("text", "title"),
      description: "Three years.",
      criteria: { narrative: slot("text", "narrative") },
    },
  },
  credentialStatus: [
    {
      ...statusEntry("https://example.edu/status", "revocation", 1),
      id: slot("url", "statusId"),
      statusListIndex: slot("text", "index"),
    },
  ],
});
const values = {
  id: "urn:uuid:0d6e1e2c-1f59-4f1e-9a57-5f3a61a2c5a1",
  holder: "did:example:ada",
  title: "Bachelor",
  validFrom: "2026-01-31T00:00:00Z",
  identity: "sha256$ab",
  salt: "s",
  narrative: "Pass.",
  statusId: "https://example.edu/status#7",
  index: "7",
};
const signature = (json: string) => ((JSON.parse(json) as JsonObject)["proof"] as JsonObject[])[0]!["proofValue"];

describe("SigningTemplate", () => {
  it("gives the same bytes as the library", async () => {
    const compiled = await SigningTemplate.compile(template);
    expect(compiled.isFast(values)).toBe(true);
    const json = await compiled.sign(values, issuer, created);
    const slow = await signDocument(filled(template, values) as JsonObject, suiteOf("eddsa-rdfc-2022")!, issuer, {
      created,
    });
    expect(json).toBe(JSON.stringify(slow));
    expect(await libraryVerifies(JSON.parse(json) as object, "eddsa-rdfc-2022")).toBe(true);
  });

  const anything: fc.Arbitrary<Json | undefined> = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
    fc.constantFrom(
      "",
      '"',
      "\\",
      "\n",
      "\u2028",
      "urn:bonafide-slot:text:title",
      "urn:bonafide-slot:url:id",
      "@id",
      "_:b0",
      "<b>",
      "\ud800",
      "did:example:ada",
      "https://example.edu/achievements/bsc",
      "$&",
      "$1",
    ),
    fc.constantFrom<Json | undefined>(
      undefined,
      ["a", "b"],
      { "@value": "x", "@language": "en" },
      { "@value": "x", "@language": "ar", "@direction": "rtl" },
    ),
  );
  const urls = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.uuid().map((id) => `urn:uuid:${id}`),
    fc.constantFrom(
      "did:example:ada",
      issuer.did,
      "https://example.edu/achievements/bsc",
      "https://example.edu/status#7",
    ),
  );

  it("signs any values as the library does, and refuses those that the library refuses", async () => {
    const compiled = await SigningTemplate.compile(template);
    let fast = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          id: urls,
          holder: urls,
          title: anything,
          identity: fc.string({ unit: "binary" }),
          salt: anything,
          narrative: anything,
          statusId: urls,
          index: fc.nat().map(String),
        }),
        async (given) => {
          const row = { ...values, ...given };
          const slow = await signDocument(filled(template, row) as JsonObject, suiteOf("eddsa-rdfc-2022")!, issuer, {
            created,
          }).then(
            (document) => JSON.stringify(document),
            () => "refused",
          );
          const ours = await compiled.sign(row, issuer, created).catch(() => "refused");
          expect(ours).toBe(slow);
          if (compiled.isFast(row)) fast++;
        },
      ),
      { numRuns: 300, seed: 7 },
    );
    expect(fast).toBeGreaterThan(100);
  });

  it("falls back to the library if a slot is not a whole term, or is a type", async () => {
    const language = { ...template, name: { "@value": slot("text", "title"), "@language": "en" } };
    expect((await SigningTemplate.compile(language)).isFast(values)).toBe(true);
    const typed = { ...template, type: ["VerifiableCredential", slot("url", "kind")] };
    const compiled = await SigningTemplate.compile(typed);
    for (const kind of ["https://example.org/Degree", "AchievementCredential"]) {
      expect(
        await libraryVerifies(
          JSON.parse(await compiled.sign({ ...values, kind }, issuer, created)) as object,
          "eddsa-rdfc-2022",
        ),
      ).toBe(true);
    }
    expect(compiled.isFast({ ...values, kind: "AchievementCredential" })).toBe(false);
    const asJson = {
      "@context": ["https://www.w3.org/ns/credentials/v2"],
      type: ["VerifiableCredential"],
      issuer: issuer.did,
      credentialSubject: { id: "did:example:a" },
      credentialSchema: {
        id: "https://example.org/s",
        type: "JsonSchema",
        jsonSchema: { title: slot("text", "title") },
      },
    };
    expect((await SigningTemplate.compile(asJson as JsonObject)).isFast(values)).toBe(false);
  });

  it("gives the same bytes as the library where values make two statements or two blank nodes equal", async () => {
    const pieces = ["first", "second"].map((name) => ({ type: ["Evidence"], name: slot("text", name) }));
    const compiled = await SigningTemplate.compile({ ...template, evidence: pieces });
    for (const second of ["Thesis", 'A \u007f \\ "thesis"\r\n\u2028', "Essay"]) {
      const row = { ...values, first: "Thesis", second };
      const filledIn = filled({ ...template, evidence: pieces }, row) as JsonObject;
      const slow = await signDocument(filledIn, suiteOf("eddsa-rdfc-2022")!, issuer, { created });
      expect(await compiled.sign(row, issuer, created)).toBe(JSON.stringify(slow));
    }
  });

  it("refuses to compile a template with a term that no context defines", async () => {
    await expect(SigningTemplate.compile({ ...template, unheard: slot("text", "title") })).rejects.toThrow("unheard");
  });
});

describe("signBatch", () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    ...values,
    title: `Degree ${i}`,
    index: String(i),
    statusId: `https://example.edu/status#${i}`,
  }));

  it("returns the credentials in the order of the rows, each with its own signature", async () => {
    const signed = await signBatch(await SigningTemplate.compile(template), rows, issuer, created);
    expect(signed.map((json) => (JSON.parse(json) as { name: string }).name)).toEqual(rows.map(({ title }) => title));
    expect(new Set(signed.map(signature)).size).toBe(rows.length);
    for (const json of signed) expect(await libraryVerifies(JSON.parse(json) as object, "eddsa-rdfc-2022")).toBe(true);
    expect(await signBatch(await SigningTemplate.compile(template), [], issuer, created)).toEqual([]);
  });

  it("yields to other work while it signs", async () => {
    const compiled = await SigningTemplate.compile(template);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await signBatch(
      compiled,
      Array.from({ length: 2_000 }, () => values),
      issuer,
      created,
    );
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  // These are the rows of the sample: the first, the last and one in between.
  it.each([0, 9, 19])("returns no credential if the signature of row %i does not verify", async (bad) => {
    const compiled = await SigningTemplate.compile(template);
    const sign = compiled.sign.bind(compiled);
    compiled.sign = async (row, ...rest) => (await sign(row, ...rest)).replace(`"Degree ${bad}"`, '"Doctor"');
    await expect(signBatch(compiled, rows, issuer, created)).rejects.toThrow("none of it is released");
  });
});
