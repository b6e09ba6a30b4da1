import { expect, it } from "vitest";
import type { Design } from "./design";
import { hiddenParts } from "./hidden-from-files";

const field = (key: string, binding: string) => ({ key, binding });
const design: Design = {
  front: {
    fields: [
      field("grade", "credential.data.results.grade"),
      field("credits", "credential.data.creditsEarned"),
      field("proof", "credential.data.evidence"),
    ],
  },
  publicFields: ["grade", "credits", "proof"],
};
const results = [{ key: "grade" }, { key: "thesis" }];
const data = { results: { grade: "A", thesis: "passed", own: "1" }, creditsEarned: 5, evidence: [{ name: "Thesis" }] };

it("names each part of the files that the public page hides", () => {
  expect(hiddenParts(design, "hashed", results, data)).toEqual(["results.thesis"]);
  expect(hiddenParts({ ...design, publicFields: [] }, "email", results, data)).toEqual([
    "address",
    "results.grade",
    "results.thesis",
    "credits",
    "evidence",
  ]);
  expect(hiddenParts({ ...design, publicName: false }, "name", [], {})).toEqual(["name"]);
});

it("names nothing that the credential lacks, and no result without a description", () => {
  expect(hiddenParts({}, "hashed", results, { results: { own: "1" }, evidence: [] })).toEqual([]);
  const whole: Design = { front: { fields: [field("all", "credential.data.results")] }, publicFields: ["all"] };
  expect(hiddenParts(whole, "hashed", results, { results: { grade: "A" } })).toEqual([]);
});
