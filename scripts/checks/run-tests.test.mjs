import { expect, test } from "vitest";
import { missingTools } from "./run-tests.mjs";

test("a language is named once if several tests were skipped for it, and nothing else is named", () => {
  const result = (status, fullName) => ({ assertionResults: [{ status, fullName }] });
  const results = [
    result("skipped", "the PHP sample as it is shown (skipped: php is not installed), accepts a"),
    result("pending", "the PHP sample as it is shown (skipped: php is not installed), refuses b"),
    result("skipped", "the Go sample as it is shown (skipped: go is not installed), accepts a"),
    result("passed", "the Ruby sample (skipped: ruby is not installed)"),
    result("skipped", "another"),
  ];
  expect(missingTools(results)).toEqual(["go", "php"]);
});
