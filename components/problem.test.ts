import { expect, it } from "vitest";
import { invalidInput } from "@/server/core/input";
import { fieldErrors, type Problem } from "./problem";

it("removes the field's name from a message below the field, also within a list", () => {
  const { extras } = invalidInput([
    { pointer: "/name", code: "too_small", message: "must not be empty" },
    { pointer: "/resultDescriptions/0/name", code: "too_small", message: "must not be empty" },
    { pointer: "/attributes/department", code: "invalid_type", message: "must be text" },
  ]);
  expect(fieldErrors({ errors: extras.errors } as Problem)).toEqual({
    name: "Must not be empty.",
    "resultDescriptions/0/name": "Must not be empty.",
    "attributes/department": "Must be text.",
  });
});
