import { noteFailure } from "./failures.mjs";

/** A reporter of Vitest that notes errors outside of tests, which Vitest's JSON report leaves out. */
export default class UnhandledErrors {
  /** @type {import("vitest/node").Reporter["onTestRunEnd"]} */
  onTestRunEnd(_modules, errors) {
    for (const error of errors)
      noteFailure({ title: "an error outside of the tests", message: error.stack ?? error.message });
  }
}
