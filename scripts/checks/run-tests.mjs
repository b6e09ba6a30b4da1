import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBrowsers } from "./browser.mjs";
import { buildPages } from "../build/build-pages.mjs";
import { inProject, root } from "../launch/paths.mjs";
import { generateCode, prepareCode } from "../build/prepare-code.mjs";
import { endingSignals, run, runInOurPlace, tail } from "../launch/run.mjs";
import { failedJourneys, failedTests, failureSummary, readNotes } from "./failures.mjs";

const bin = (...path) => inProject("node_modules", ...path);
const none = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };

/**
 * Runs the stages and prints a summary that ends with the failures. A failed stage does not stop the others.
 *
 * @param {string[]} args the name of a stage with arguments for its tool, or a filter for the unit tests; all stages by
 * default
 * @returns {Promise<number>} the exit code
 */
export async function runTests(step, args) {
  const [name, ...rest] = args;
  const chosen =
    name === "lint"
      ? { format: [], lint: rest, structure: [] }
      : stages[name]
        ? { [name]: rest }
        : args.length > 0
          ? { unit: args }
          : Object.fromEntries(Object.keys(stages).map((each) => [each, []]));
  const results = mkdtempSync(join(tmpdir(), "bonafide-tests-"));
  const sum = { ...none };
  let interrupted = false;
  for (const signal of endingSignals) process.on(signal, () => (interrupted = true));
  try {
    await generateCode(step);
    for (const [stage, stageArgs] of Object.entries(chosen)) {
      if (interrupted) return 130;
      const counts = await stages[stage](step, stageArgs, join(results, `${stage}.json`));
      for (const key of ["passed", "failed", "skipped"]) sum[key] += counts[key];
      for (const key of ["failures", "flaky"]) sum[key] = sum[key].concat(counts[key]);
    }
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
  if (sum.flaky.length > 0) console.log(`\n${failureSummary(sum.flaky, { sign: "~ passed only at the second try:" })}`);
  if (sum.failures.length > 0) console.log(`\n${failureSummary(sum.failures)}`);
  console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ""}`);
  return sum.failed > 0 || sum.passed === 0 ? 1 : 0;
}

const stages = {
  types: (step, args) =>
    check(step, "Types", async () => {
      // Writes the types of routes and of imported assets, which tsc reads.
      const generated = await run(process.execPath, [bin("next", "dist", "bin", "next"), "typegen"], { cwd: root });
      return generated.code === 0
        ? run(
            process.execPath,
            [bin("typescript", "bin", "tsc"), "--noEmit", "--pretty", "--project", "tsconfig.check.json", ...args],
            { cwd: root },
          )
        : generated;
    }),

  lint: (step, args) =>
    check(step, "Lint", () =>
      run(process.execPath, [bin("oxlint", "bin", "oxlint"), "--deny-warnings", ...args], { cwd: root }),
    ),

  format: (step, args) =>
    check(step, "Format", () =>
      run(process.execPath, [bin("@biomejs", "biome", "bin", "biome"), "format", ...args], { cwd: root }),
    ),

  // Layers, who writes which table, and other rules about the code as a whole; `npm test -- lint` runs them too.
  structure: (step, args, report) =>
    vitest(step, "Structure", ["--config=structure/vitest.config.ts", ...args], report),

  unit: (step, args, report) => vitest(step, "Unit tests", args, report),

  e2e: async (step, args, report) => {
    const config = inProject("e2e", "playwright.config.ts");
    if (!existsSync(config)) return none;
    const browsers = await step("Browsers", async ({ doing, done }) => {
      const found = await findBrowsers(doing);
      done(found.map(({ name }) => name).join("; "));
      return found;
    });
    await prepareCode(step);
    await step("Pages", (tell) => buildPages(tell));
    // Selected journeys run in the first browser. A full run uses every browser, because versions differ.
    return journeys(step, args.length > 0 ? browsers.slice(0, 1) : browsers, args, report);
  },
};

async function vitest(step, title, args, report) {
  process.env.FAILURES_FILE = `${report}.failures`;
  const code = await show(step, title, bin("vitest", "vitest.mjs"), [
    "run",
    "--reporter=default",
    "--reporter=json",
    `--reporter=${inProject("scripts", "checks", "what-json-omits.mjs")}`,
    `--outputFile.json=${report}`,
    ...args,
  ]);
  const results = read(report);
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0, testResults = [] } = results;
  const missing = missingTools(testResults);
  if (missing.length > 0)
    console.log(`Skipped for want of ${missing.join(", ")}: the tests that run samples in that language.`);
  const notes = readNotes(process.env.FAILURES_FILE);
  return honest(code, {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures: [...failedTests(results), ...notes.failures],
    flaky: notes.flaky,
  });
}

async function journeys(step, browsers, args, report) {
  Object.assign(process.env, { BROWSERS: JSON.stringify(browsers), PLAYWRIGHT_JSON_OUTPUT_FILE: report });
  const config = inProject("e2e", "playwright.config.ts");
  const code = await show(step, "Journeys", bin("@playwright", "test", "cli.js"), [
    "test",
    `--config=${config}`,
    "--reporter=list,json",
    ...args,
  ]);
  const results = read(report);
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = results.stats ?? {};
  return honest(code, { passed: expected + flaky, failed: unexpected, skipped, ...failedJourneys(results) });
}

/** Runs a tool that counts as one test and prints only failures. */
async function check(step, title, tool) {
  return step(title, async ({ doing, done }) => {
    doing("checking");
    const { code, output } = await tool();
    done(code === 0 ? "in order" : "not in order:", { failed: code !== 0 });
    if (code !== 0) console.log(`\n${tail(output, 200)}\n`);
    return code === 0 ? { ...none, passed: 1 } : { ...none, failed: 1, failures: [{ title, message: tail(output) }] };
  });
}

/** Runs a test runner and shows its output. */
function show(step, title, script, args) {
  return step(
    title,
    async ({ doing, done }) => {
      doing("running");
      const { code } = await runInOurPlace(process.execPath, [script, ...args], { cwd: root });
      done(code === 0 ? "passed" : "failed", { failed: code !== 0 });
      return code;
    },
    { writes: true },
  );
}

/** A runner that failed without a failed test counts as one failure. */
const honest = (code, counts) => (code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts);

/** Returns what titles of skipped tests name as not installed, each once. */
export function missingTools(testResults) {
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === "pending" || status === "skipped"),
  );
  return [
    ...new Set(skipped.flatMap(({ fullName }) => /\(skipped: (\S+) is not installed\)/.exec(fullName)?.[1] ?? [])),
  ].toSorted();
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return {};
  }
}
