import { expect, it } from "vitest";
import { freshField, relabelled, withSource } from "./bindings";

const added = freshField([], ["enrolledUntil"]);

it("a new field is called by what it shows, and by what it shows next", () => {
  expect(added.label).toBe("Enrolled until");
  const code = relabelled(added, withSource(added, "credential.code", "enrolledUntil"));
  expect(code.label).toBe("Code");
  const email = relabelled(code, withSource(code, "subject.email", ""));
  expect(email.label).toBe("E-mail");
  const text = relabelled(email, withSource(email, "text", ""));
  const attribute = relabelled(text, withSource(text, "attributes", "contract.lastDay"));
  expect([text.label, attribute.label]).toEqual(["Text", "Last day"]);
});

it("a label that somebody typed stays", () => {
  for (const label of ["Number of the card", "", { en: "Number", de: "Nummer" }]) {
    const typed = { ...added, label };
    expect(relabelled(typed, withSource(typed, "credential.code", "")).label).toEqual(label);
  }
});
