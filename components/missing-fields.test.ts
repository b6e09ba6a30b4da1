import { expect, it } from "vitest";
import { missingFields } from "./missing-fields";
import { fieldErrors } from "./problem";

it("returns an instruction for each empty field, and nothing if all are filled", () => {
  expect(missingFields({ name: "Members", templateId: "tpl_1" })).toBeNull();
  const problem = missingFields({ name: " ", templateId: null, "settings/url": "https://sis.example.edu" });
  expect(fieldErrors(problem)).toEqual({ name: "Fill this in.", templateId: "Choose one." });
});
