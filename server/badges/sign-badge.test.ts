import { describe, expect, it } from "vitest";
import { SigningTemplate } from "@/server/standards/batch-signing/signing-template";
import { eddsaRdfc2022 } from "@/server/standards/data-integrity/eddsa-rdfc-2022";
import { signDocument } from "@/server/standards/data-integrity/sign-document";
import { statusEntry } from "@/server/standards/status-list/list-credential";
import { keyIssuer } from "@/server/standards/testing/issuer";
import { newId } from "@/server/core/ids";
import { newCode } from "@/server/credentials/code";
import { badgeDocument } from "./document";
import type { BadgeFacts } from "./facts";
import { signBadge } from "./sign-badge";
import { shapeOf } from "./signing-shape";

const issuer = keyIssuer();
const created = new Date("2026-07-01T10:00:00.500Z");
const content = {
  description: "Two years of study.",
  criteria: { narrative: "Pass all examinations." },
  achievementType: "MasterDegree" as const,
  tags: ["science"],
  alignments: [],
  resultDescriptions: [
    { key: "grade", name: "Grade", resultType: "LetterGrade" as const },
    { key: "level", name: "Level", resultType: "Result" as const, rubricLevels: [{ key: "high", name: "High" }] },
  ],
  creditsAvailable: 120,
  fieldOfStudy: null,
  specialization: null,
  humanCode: "MSC",
  inLanguage: "en",
};
const templateId = newId("tpl");
const achievement = { id: newId("acv"), name: "Master of Science", content, image: null };

let holders = 0;
/** The document of a new holder. */
function document(some: Partial<BadgeFacts> = {}) {
  const n = ++holders;
  const facts: BadgeFacts = {
    id: newId("crd"),
    code: newCode(),
    kind: "academic",
    subject_id: newId("sub"),
    state: "active",
    valid_from: new Date(Date.UTC(2026, 6, 1, 10, 0, n)),
    issued_at: created,
    expires_at: null,
    data: { results: { grade: "A" }, creditsEarned: 120 },
    external_id: `s-${n}`,
    email: `holder-${n}@example.edu`,
    erased_at: null,
    display_name: `Holder ${n}`,
    issuer_name: "Northwind University",
    recipient_identity: "hashed",
    slug: "northwind",
    time_zone: "UTC",
    locale: "en-GB",
    template_id: templateId,
    title: "Master of Science",
    public_name: true,
    status_index: null,
    public_fields: null,
    colors: null,
    logo: null,
    achievement,
    ...some,
  };
  const lists = (["revocation", "suspension"] as const).map((purpose) =>
    statusEntry(`https://example.edu/public/status/northwind/${purpose}`, purpose, n),
  );
  return badgeDocument(facts, issuer.did, lists);
}

const byLibrary = async (unsigned: ReturnType<typeof document>) =>
  JSON.stringify(await signDocument(unsigned, eddsaRdfc2022, issuer, { created }));

describe("signBadge", () => {
  it.each<[string, Partial<BadgeFacts>]>([
    ["a degree", {}],
    ["a degree that ends", { expires_at: new Date("2030-01-01T00:00:00Z") }],
    ["a level of a rubric and no credits", { data: { results: { grade: "B", level: "high" } } }],
    ["quotes, controls and other scripts", { data: { results: { grade: '"A"\\\n\u2028 ممتاز 😀 _:b0' } } }],
    [
      "evidence",
      {
        data: {
          evidence: [{ url: "https://example.edu/t.pdf", name: "Thesis", genre: "Thesis" }, { narrative: "*x*" }],
        },
      },
    ],
    ["two equal pieces of evidence", { data: { evidence: [{ name: "Thesis" }, { name: "Thesis" }] } }],
    [
      "evidence at an address with a space",
      { data: { evidence: [{ url: "https://example.edu/a b", name: "Thesis" }] } },
    ],
    ["a name in clear", { recipient_identity: "name" }],
    ["an address in clear", { recipient_identity: "email" }],
    ["no achievement", { achievement: null }],
    [
      "a text that looks like a slot",
      { achievement: { ...achievement, content: { ...content, description: "urn:bonafide-slot:text:v1" } } },
    ],
  ])("signs %s with exactly the bytes of the library, every time", async (_, some) => {
    for (let i = 0; i < 3; i++) {
      const unsigned = document(some);
      const expected = await byLibrary(unsigned).catch((error: Error) => error.message);
      expect(await signBadge(unsigned, issuer, created).catch((error: Error) => error.message)).toBe(expected);
    }
  });

  it("expands the credentials of one template once, and substitutes the values that differ between holders", async () => {
    const [one, other] = [
      shapeOf(document()),
      shapeOf(document({ data: { results: { grade: "B" }, creditsEarned: 120 } })),
    ];
    expect(other.template).toEqual(one.template);
    expect(Object.values(other.values)).not.toEqual(Object.values(one.values));
    const compiled = await SigningTemplate.compile(one.template);
    expect([one, other].map(({ values }) => compiled.isFast(values))).toEqual([true, true]);
  });
});
