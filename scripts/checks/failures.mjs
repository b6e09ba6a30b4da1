import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "../launch/paths.mjs";

/** @typedef {{ title: string, message: string }} Failure what failed, and the error's text */

/**
 * Notes a failure outside of any test for the summary of `npm test`. FAILURES_FILE, which `npm test` sets, names the
 * file; without the variable nothing is noted.
 * @param {Failure} failure
 */
export function noteFailure(failure) {
  if (process.env.FAILURES_FILE) appendFileSync(process.env.FAILURES_FILE, `${JSON.stringify(failure)}\n`);
}

/** @returns {Failure[]} what `noteFailure` wrote to the file */
export function notedFailures(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/**
 * @param {{ testResults?: object[] }} report the JSON report of Vitest
 * @returns {Failure[]} failed tests, and files that failed outside of their tests
 */
export function failedTests({ testResults = [] }) {
  return testResults.flatMap(({ name, message, status, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({ title: `${file} › ${test.fullName}`, message: test.failureMessages.join("\n") }));
    return failed.length === 0 && status === "failed" ? [{ title: file, message }] : failed;
  });
}

/**
 * @param {{ suites?: object[], errors?: { message?: string }[] }} report the JSON report of Playwright
 * @returns {Failure[]} journeys that failed at every try, and errors outside of journeys
 */
export function failedJourneys({ suites = [], errors = [] }) {
  return [
    ...suites.flatMap((suite) => [
      ...failedJourneys({ suites: suite.suites }),
      ...(suite.specs ?? []).flatMap(({ title, file, tests }) =>
        tests
          .filter(({ status }) => status === "unexpected")
          .map(({ projectName, results }) => ({
            title: `${projectName} › ${file} › ${title}`,
            message:
              results
                .at(-1)
                ?.errors.map((error) => error.message)
                .join("\n") ?? "",
          })),
      ),
    ]),
    ...errors.map(({ message = "" }) => ({ title: "outside of the journeys", message })),
  ];
}

/**
 * The failures as the last lines of a run, which are what is left where somebody keeps only the end of the output.
 * @param {Failure[]} failures
 * @param {number} [lines] how many lines of each message are shown
 */
export function failureSummary(failures, lines = 12) {
  return failures
    .map(({ title, message }) => {
      const text = stripVTControlCharacters(message).trimEnd().split("\n").slice(0, lines);
      return [`✗ ${title}`, ...text.map((line) => `    ${line}`)].join("\n");
    })
    .join("\n");
}
