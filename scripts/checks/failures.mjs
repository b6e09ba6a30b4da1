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
export const noteFailure = (failure) => note({ kind: "failure", ...failure });

/**
 * Notes a test that passed only at its second try; otherwise like `noteFailure`.
 * @param {Failure} failure the first try
 */
export const noteFlaky = (failure) => note({ kind: "flaky", ...failure });

function note(entry) {
  if (process.env.FAILURES_FILE) appendFileSync(process.env.FAILURES_FILE, `${JSON.stringify(entry)}\n`);
}

/** @returns {{ failures: Failure[], flaky: Failure[] }} what was noted in the file */
export function readNotes(file) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  const entries = lines.map((line) => JSON.parse(line));
  const of = (wanted) =>
    entries.filter(({ kind }) => kind === wanted).map(({ title, message }) => ({ title, message }));
  return { failures: of("failure"), flaky: of("flaky") };
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
 * @returns {{ failures: Failure[], flaky: Failure[] }} `failures`: journeys that failed at every try, and errors
 *   outside of journeys; `flaky`: those that passed at the second try
 */
export function failedJourneys({ suites = [], errors = [] }) {
  const outside = errors.map(({ message = "" }) => ({ title: "outside of the journeys", message }));
  return {
    failures: [...journeysOf(suites, "unexpected", (results) => results.at(-1)), ...outside],
    flaky: journeysOf(suites, "flaky", (results) => results[0]),
  };
}

const journeysOf = (suites, wanted, chosen) =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...journeysOf(inner, wanted, chosen),
    ...specs.flatMap(({ title, file, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(({ projectName, results }) => ({
          title: `${projectName} › ${file} › ${title}`,
          message: (chosen(results)?.errors ?? []).map((error) => error.message).join("\n"),
        })),
    ),
  ]);

/**
 * Formats failures as the last lines of a run, because often only the end of the output is kept.
 *
 * @param {Failure[]} failures
 * @param {{ sign?: string, lines?: number }} [shape] the text before each title, and the number of lines of its message
 */
export function failureSummary(failures, { sign = "✗", lines = 12 } = {}) {
  return failures
    .map(({ title, message }) => {
      const text = stripVTControlCharacters(message).trimEnd().split("\n").slice(0, lines);
      return [`${sign} ${title}`, ...text.map((line) => `    ${line}`)].join("\n");
    })
    .join("\n");
}
