import { expect, it } from "vitest";
import { defaultRegion } from "@/server/core/dates";
import { fieldText } from "./field-text";

it.each([
  ["2027-02-28", "28 February 2027"],
  ["2027-02-31", "2027-02-31"],
  ["2027-02-31T10:00:00Z", "2027-02-31T10:00:00Z"],
  ["next spring", "next spring"],
])("a date field with %s shows %s: invalid dates are not converted", (value, text) => {
  expect(fieldText({ value, format: "date" }, defaultRegion)).toBe(text);
});

it.each([
  [3.9996, "3.9996"],
  ["0.1234567890123456789", "0.1234567890123456789"],
  ["12345678901234567", "12,345,678,901,234,567"],
  ["-1234.50", "-1,234.50"],
  [1e-7, "0.0000001"],
  [1e3, "1,000"],
  ["0x10", "0x10"],
  ["1e3", "1e3"],
  [" 1 ", " 1 "],
])("a number field with %j shows %s: every digit is shown, and only decimal notation is a number", (value, text) => {
  expect(fieldText({ value, format: "number" }, defaultRegion)).toBe(text);
});

it("a number field has the separators of its locale", () => {
  const german = { ...defaultRegion, locale: "de-DE" };
  expect(fieldText({ value: "12345678901234567.89", format: "number" }, german)).toBe("12.345.678.901.234.567,89");
});

it.each([
  ["date", "19 January 2029"],
  ["date_short", "19/01/2029"],
  ["month", "January 2029"],
  ["year", "2029"],
] as const)("writes a day in the style %s", (format, text) => {
  expect(fieldText({ value: "2029-01-19", format }, defaultRegion)).toBe(text);
  expect(fieldText({ value: "2029-01-19T23:30:00Z", format }, { ...defaultRegion, timeZone: "UTC" })).toBe(text);
  expect(fieldText({ value: "spring", format }, defaultRegion)).toBe("spring");
});
