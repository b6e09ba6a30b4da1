import { relative } from "node:path";
import { root } from "../launch/paths.mjs";
import { noteFailure, noteFlaky } from "./failures.mjs";

/** A Vitest reporter that notes what the JSON report omits: errors outside of tests, and flaky tests. */
export default class WhatJsonOmits {
  /** @type {import("vitest/node").Reporter["onTestRunEnd"]} */
  onTestRunEnd(modules, errors) {
    for (const error of errors)
      noteFailure({ title: "an error outside of the tests", message: error.stack ?? error.message });
    for (const { moduleId, children } of modules)
      for (const test of children.allTests())
        if (test.diagnostic()?.flaky)
          noteFlaky({
            title: `${relative(root, moduleId)} › ${test.fullName}`,
            message: test.result().errors?.[0]?.message ?? "",
          });
  }
}
