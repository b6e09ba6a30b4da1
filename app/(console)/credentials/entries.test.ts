import { describe, expect, it } from "vitest";
import type { Design } from "@/server/templates/design";
import { dataOf, entriesOf, readNumber, recordOf, wrongNumbers } from "./entries";

const design = (...fields: { binding: string; label?: string; format?: "number" | "date" }[]): Design => ({
  front: { fields: fields.map((field, i) => ({ key: `f${i}`, ...field })) },
});

describe("the form fields for issuing", () => {
  it("are the attributes and data that the design reads, each once", () => {
    const entries = entriesOf(
      design(
        { binding: "subject.displayName" },
        { binding: "attributes.grade", label: "Grade" },
        { binding: "credential.data.grade", label: "The same grade" },
        { binding: "credential.data.thesis.title", label: "Thesis" },
        { binding: "credential.expiresAt" },
        { binding: "credential.data.evidence" },
        { binding: "attributes.subject.displayName" },
        { binding: "credential.data.attributes.grade" },
      ),
    );
    expect(entries.map(({ name, label, hasRecord }) => [name, label, hasRecord])).toEqual([
      ["data/grade", "Grade", true],
      ["data/thesis/title", "Thesis", false],
    ]);
    expect(entries.map((entry) => recordOf(entry, { grade: "C", thesis: { title: "no record" } }))).toEqual([
      "C",
      null,
    ]);
  });

  it("include what the achievement lets a credential state, with its scales, under the card's labels", () => {
    const entries = entriesOf(
      design({ binding: "credential.data.results.grade", label: "Final grade" }),
      [
        { key: "grade", name: "Grade", allowedValues: ["A", "B"] },
        { key: "thesis", name: "Thesis", rubricLevels: [{ key: "l2", name: "Distinction" }] },
        { key: "score", name: "Score" },
      ],
      120,
    );
    expect(entries.map(({ name, label, choices }) => [name, label, choices?.map((each) => each.label)])).toEqual([
      ["data/results/grade", "Final grade", ["A", "B"]],
      ["data/results/thesis", "Thesis", ["Distinction"]],
      ["data/results/score", "Score", undefined],
      ["data/creditsEarned", "Credits earned", undefined],
    ]);
    const typed = { "data/results/grade": "A", "data/results/thesis": "l2", "data/creditsEarned": "120" };
    expect(dataOf(entries, typed, "en-GB")).toEqual({ results: { grade: "A", thesis: "l2" }, creditsEarned: 120 });
  });

  it("become data of the credential, with numbers as numbers and without empty values", () => {
    const entries = entriesOf(
      design(
        { binding: "attributes.grade" },
        { binding: "attributes.credits", format: "number" },
        { binding: "attributes.hours", format: "number" },
        { binding: "credential.data.thesis.title" },
        { binding: "attributes.left" },
      ),
    );
    const typed = {
      "data/grade": " A ",
      "data/credits": "180",
      "data/hours": "some",
      "data/thesis/title": "On engines",
      "data/left": " ",
      "data/unknown": "x",
    };
    expect(dataOf(entries, typed, "en-GB")).toEqual({ grade: "A", credits: 180, thesis: { title: "On engines" } });
    expect(wrongNumbers(entries, typed, "de-DE")).toEqual([
      { pointer: "/data/hours", code: "invalid_number", message: "must be a number, such as 1.234,5" },
    ]);
  });

  it.each([
    ["en-GB", "1.5", 1.5],
    ["en-GB", "1,500", 1500],
    ["en-GB", "-0.25", -0.25],
    ["en-GB", "0", 0],
    ["en-GB", "1,5", null],
    ["en-GB", "0x1F", null],
    ["en-GB", "1e3", null],
    ["en-GB", "Infinity", null],
    ["de-DE", "1,5", 1.5],
    ["de-DE", "1.500", 1500],
    ["de-DE", "1.5", null],
    ["fr-FR", "1 500,5", 1500.5],
    ["de-CH", "1'500.5", 1500.5],
    ["en-IN", "1,50,000", 150_000],
    ["en-GB", "1.50", 1.5],
    ["en-GB", "007", 7],
    ["en-GB", "-0", 0],
    ["en-GB", "0.1234567890123456789", "0.1234567890123456789"],
    ["en-GB", "12345678901234567890", "12345678901234567890"],
    ["de-DE", "-12.345.678.901.234.567.890,50", "-12345678901234567890.5"],
    ["en-GB", `0.${"0".repeat(100)}1`, null],
  ])("read a number as it is written in %s: %s", (locale, text, number) => {
    expect(readNumber(text, locale)).toBe(number);
  });

  it("offer the allowed values and levels of a result, and send them unchanged", () => {
    const entries = entriesOf(
      design(
        { binding: "credential.data.results.grade", format: "number" },
        { binding: "credential.data.results.thesis" },
      ),
      [
        { key: "grade", allowedValues: ["1.0", "2"] },
        { key: "thesis", rubricLevels: [{ key: "passed", name: "Passed with honours" }] },
      ],
    );
    expect(entries.map(({ choices }) => choices)).toEqual([
      [
        { value: "1.0", label: "1.0" },
        { value: "2", label: "2" },
      ],
      [{ value: "passed", label: "Passed with honours" }],
    ]);
    const typed = { "data/results/grade": "1.0", "data/results/thesis": "passed" };
    expect(wrongNumbers(entries, typed, "de-DE")).toEqual([]);
    expect(dataOf(entries, typed, "de-DE")).toEqual({ results: { grade: "1.0", thesis: "passed" } });
  });

  it("keep a path within another path, and a key called __proto__", () => {
    const entries = entriesOf(
      design({ binding: "attributes.a.b" }, { binding: "credential.data.a" }, { binding: "attributes.__proto__.c" }),
    );
    const data = dataOf(entries, { "data/a": "outer", "data/a/b": "inner", "data/__proto__/c": "own" }, "en-GB");
    expect(JSON.stringify(data)).toBe('{"a":{"b":"inner"},"__proto__":{"c":"own"}}');
    expect(Object.prototype).not.toHaveProperty("c");
  });
});
