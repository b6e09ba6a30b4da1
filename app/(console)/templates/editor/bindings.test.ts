import { describe, expect, it } from "vitest";
import type { Design } from "@/server/templates/design";
import {
  freshField,
  lacksStatedFields,
  readSource,
  relabelled,
  sourcesWith,
  statedFields,
  withSource,
  withStatedFields,
} from "./bindings";

const stated = statedFields([{ key: "grade", name: "Final grade" }], 120);
const grade = { key: "g", label: "Note", binding: "credential.data.results.grade" };

describe("the results and credits of an achievement", () => {
  it("are offered by name, before the sources that need a path", () => {
    expect(sourcesWith(stated).slice(-5)).toEqual([
      { value: "credential.data.results.grade", label: "Result: Final grade" },
      { value: "credential.data.creditsEarned", label: "Credits earned" },
      { value: "credential.data.evidence", label: "Evidence" },
      { value: "credential.data", label: "Entered when it is issued…" },
      { value: "text", label: "Fixed text…" },
    ]);
    expect(statedFields([], null)).toEqual([]);
  });

  it("are recognised in a field; a result without a description is read as a path", () => {
    expect(readSource(grade, stated)).toEqual({ source: grade.binding, detail: "" });
    expect(readSource(grade)).toEqual({ source: "credential.data", detail: "results.grade" });
    expect(withSource({ key: "g", text: "x" }, "credential.data.creditsEarned", "x")).toEqual({
      key: "g",
      binding: "credential.data.creditsEarned",
    });
  });

  it("are added as public fields at once, and fields that show them become public", () => {
    const design: Design = { front: { fields: [{ key: "n", binding: "subject.displayName" }] }, publicFields: ["n"] };
    const shown = withStatedFields({ ...design, back: { fields: [grade] } }, stated, "front");
    expect(shown).toEqual({
      front: {
        fields: [
          { key: "n", binding: "subject.displayName" },
          { key: "field3", label: "Credits", binding: "credential.data.creditsEarned", format: "number" },
        ],
      },
      back: { fields: [grade] },
      publicFields: ["n", "g", "field3"],
    });
    expect([lacksStatedFields(design, stated), lacksStatedFields(shown, stated)]).toEqual([true, false]);
    expect(withStatedFields(shown, stated, "back")).toEqual(shown);
  });
});

const added = freshField([], ["enrolledUntil"]);

it("a new field's label follows its source when the source changes", () => {
  expect(added.label).toBe("Enrolled until");
  const code = relabelled(added, withSource(added, "credential.code", "enrolledUntil"));
  expect(code.label).toBe("Code");
  const email = relabelled(code, withSource(code, "subject.email", ""));
  expect(email.label).toBe("E-mail");
  const text = relabelled(email, withSource(email, "text", ""));
  const attribute = relabelled(text, withSource(text, "attributes", "contract.lastDay"));
  expect([text.label, attribute.label]).toEqual(["Text", "Last day"]);
});

it("a label that somebody typed is kept", () => {
  for (const label of ["Number of the card", "", { en: "Number", de: "Nummer" }]) {
    const typed = { ...added, label };
    expect(relabelled(typed, withSource(typed, "credential.code", "")).label).toEqual(label);
  }
});
