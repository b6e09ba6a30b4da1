import { expect, it } from "vitest";
import { defaultRegion } from "@/server/core/dates";
import { fieldText } from "./field-text";

it.each([
  ["2027-02-28", "28 February 2027"],
  ["2027-02-31", "2027-02-31"],
  ["2027-02-31T10:00:00Z", "2027-02-31T10:00:00Z"],
  ["next spring", "next spring"],
])("a date field with %s reads %s: no day is made of what is none", (value, text) => {
  expect(fieldText({ value, format: "date" }, defaultRegion)).toBe(text);
});
