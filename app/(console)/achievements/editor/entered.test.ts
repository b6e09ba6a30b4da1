import { describe, expect, it } from "vitest";
import { blank, contentOf, enteredOf, inputsOf } from "./entered";

const levels = [
  { key: "low", name: "Beginner", points: "10" },
  { key: "high", name: "Expert", description: "Teaches others." },
];
const version = (result: object) =>
  ({ ...blank, criteria: {}, tags: [], alignments: [], creditsAvailable: null, resultDescriptions: [result] }) as never;
const writing = { key: "w", name: "Writing", resultType: "RubricCriterionLevel" };
const sent = (entered: ReturnType<typeof enteredOf>) => contentOf(entered).resultDescriptions[0];

describe("the results of an achievement in its form", () => {
  it("come back unchanged, including the parts that the form does not show", () => {
    for (const result of [
      { ...writing, rubricLevels: levels, requiredLevel: "high" },
      { key: "g", name: "Grade", resultType: "LetterGrade", allowedValues: ["A", "B"], requiredValue: "B" },
      { key: "p", name: "Points", resultType: "RawScore", valueMin: "0", valueMax: "100", rubricLevels: levels },
    ])
      expect(sent(enteredOf(version(result)))).toEqual(result);
  });

  it("take the levels of a rubric by name, and keep the keys of existing levels", () => {
    const entered = enteredOf(version({ ...writing, rubricLevels: levels }));
    const [row] = entered.resultDescriptions;
    const resultDescriptions = [{ ...row!, rubricLevels: "Novice\n Beginner\n\nExpert", requiredLevel: "Novice" }];
    expect(sent({ ...entered, resultDescriptions })).toEqual({
      ...writing,
      rubricLevels: [{ key: "level1", name: "Novice" }, ...levels],
      requiredLevel: "level1",
    });
  });

  it("send a level that does not exist as it was typed, so that the error names it", () => {
    const entered = enteredOf(version({ ...writing, rubricLevels: levels }));
    const resultDescriptions = entered.resultDescriptions.map((row) => ({ ...row, requiredLevel: "Master" }));
    expect(sent({ ...entered, resultDescriptions })).toMatchObject({ requiredLevel: "Master" });
  });

  it("have the inputs of their kind, and any other input that has a value", () => {
    const of = (result: object) => inputsOf(enteredOf(version(result)).resultDescriptions[0]!);
    expect(of(writing)).toEqual({ hasLevels: true, hasValues: false, hasRange: false });
    expect(of({ ...writing, resultType: "Status" })).toEqual({ hasLevels: false, hasValues: true, hasRange: false });
    expect(of({ ...writing, resultType: "RawScore", rubricLevels: levels })).toEqual({
      hasLevels: true,
      hasValues: true,
      hasRange: true,
    });
  });
});
