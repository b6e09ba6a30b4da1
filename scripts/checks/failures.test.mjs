import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { failedJourneys, failedTests, failureSummary, noteFailure, noteFlaky, readNotes } from "./failures.mjs";

afterEach(() => vi.unstubAllEnvs());

test("failed tests are named with their file, and a file that could not be loaded by itself", () => {
  const testResults = [
    {
      name: "a.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        { status: "passed", fullName: "one", failureMessages: [] },
        { status: "failed", fullName: "two", failureMessages: ["expected 1 to be 2"] },
      ],
    },
    { name: "b.test.ts", status: "failed", message: "no such module", assertionResults: [] },
    { name: "c.test.ts", status: "passed", message: "", assertionResults: [] },
  ];
  expect(failedTests({ testResults })).toEqual([
    { title: "a.test.ts › two", message: "expected 1 to be 2" },
    { title: "b.test.ts", message: "no such module" },
  ]);
  expect(failedTests({})).toEqual([]);
});

test("a journey is named with its browser, as failed if its last try failed and as flaky if only its first did", () => {
  const journey = (title, status, ...messages) => ({
    title,
    file: "list.spec.ts",
    tests: [{ projectName: "Chromium", status, results: messages.map((message) => ({ errors: [{ message }] })) }],
  });
  const nested = { specs: [journey("inner", "unexpected", "first", "last")] };
  const suites = [{ specs: [journey("outer", "flaky", "once", ""), journey("fine", "expected")], suites: [nested] }];
  expect(failedJourneys({ suites, errors: [{ message: "no browser" }] })).toEqual({
    failures: [
      { title: "Chromium › list.spec.ts › inner", message: "last" },
      { title: "outside of the journeys", message: "no browser" },
    ],
    flaky: [{ title: "Chromium › list.spec.ts › outer", message: "once" }],
  });
});

test("a failure outside of tests is noted in the file of the run, and nowhere without that file", () => {
  const folder = mkdtempSync(join(tmpdir(), "bonafide-failures-"));
  const file = join(folder, "failures");
  vi.stubEnv("FAILURES_FILE", "");
  noteFailure({ title: "before", message: "" });
  expect(readNotes(file)).toEqual({ failures: [], flaky: [] });
  vi.stubEnv("FAILURES_FILE", file);
  noteFailure({ title: "tenancy", message: "two\nlines" });
  noteFlaky({ title: "race", message: "expected 1 to be 2" });
  noteFailure({ title: "later", message: "" });
  expect(readNotes(file)).toEqual({
    failures: [
      { title: "tenancy", message: "two\nlines" },
      { title: "later", message: "" },
    ],
    flaky: [{ title: "race", message: "expected 1 to be 2" }],
  });
  rmSync(folder, { recursive: true });
});

test("the summary shows the first lines of each message without colours", () => {
  expect(
    failureSummary(
      [
        { title: "a", message: "\u001B[31mone\u001B[39m\ntwo\nthree" },
        { title: "b", message: "x" },
      ],
      { lines: 2 },
    ),
  ).toBe("✗ a\n    one\n    two\n✗ b\n    x");
});
