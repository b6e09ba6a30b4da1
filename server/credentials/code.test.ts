import { expect, it } from "vitest";
import { formatCode, newCode, readCode } from "./code";

it("makes codes of 16 Crockford characters and uses every character", () => {
  const codes = Array.from({ length: 2000 }, newCode);
  expect(codes.every((code) => /^[0-9A-HJKMNP-TV-Z]{16}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBe(2000);
  expect(new Set(codes.join("")).size).toBe(32);
});

it("shows a code in groups of four", () => {
  expect(formatCode("0123456789ABCDEF")).toBe("0123-4567-89AB-CDEF");
});

it.each([
  "01PQ-7890-ABCD-EFGH",
  "01pq7890abcdefgh",
  " 01pq 7890 abcd efgh ",
  "OIPQ-789O-ABCD-EFGH",
  "olpq–789o–abcd–efgh",
  "0LPQ\t7890-ABCD--EFGH",
  "\u202A01PQ\u00AD-7890\u200B-ABCD-EFGH\u200E",
])("reads %j as the same code", (typed) => {
  expect(readCode(typed)).toBe("01PQ7890ABCDEFGH");
});

it.each([
  "",
  "01PQ-7890-ABCD-EFG",
  "01PQ-7890-ABCD-EFGHJ",
  "01PQ-7890-ABCD-EFGU",
  "01PQ_7890_ABCD_EFGH",
  "0".repeat(5000),
])("does not read %j", (typed) => {
  expect(readCode(typed)).toBeNull();
});
