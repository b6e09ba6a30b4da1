import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { noteFailure } from "../../../scripts/checks/failures.mjs";
import { readCatalogue } from "./catalogue";
import { exceptions, references } from "./exceptions";
import { unneeded, violations } from "./judge";
import type { Recorded } from "./record";

/**
 * Fails a test run in which a statement did not bind org_id. Workers record the statements that they send (record.ts);
 * after the last test each distinct statement is checked, whichever tests ran. If all tests ran, an exception that no
 * statement needs fails the run too; if one of them failed, the exception is only named.
 */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bonafide-tests-statements-"));
  process.env["STATEMENTS_DIR"] = folder;
  return async () => {
    const recorded = readRecorded(folder);
    rmSync(folder, { recursive: true, force: true });
    const rules = { catalogue: await readCatalogue(process.env["DATABASE_URL"]!), exceptions, references };
    const found = violations(recorded, rules);
    const { testFiles } = await project.globTestFiles();
    const ran = new Set(project.vitest.state.getFilepaths());
    const isWhole = testFiles.every((file) => ran.has(file)) && project.vitest.config.testNamePattern === undefined;
    const spare = (isWhole ? unneeded(recorded, rules) : []).map(
      (each) => `No statement needs this exception of server/testing/tenancy/exceptions.ts: ${each}`,
    );
    // A failed test may have ended before the statement that needs the exception.
    if (!process.exitCode) found.push(...spare);
    else if (spare.length > 0)
      console.error(`\nTenancy, unless a failed test ended too early:\n  ${spare.join("\n  ")}`);
    if (found.length === 0) return;
    // Vitest shows an error thrown here, but still reports the run as passed.
    process.exitCode = 1;
    const message = `${found.map((each) => `  ${each}`).join("\n")}\nEvery statement binds org_id: see CONTRIBUTING.md.\n`;
    console.error(`\nTenancy: ${recorded.length} statements ran.\n${message}`);
    noteFailure({ title: "Tenancy", message });
  };
}

/** Reads each distinct statement once. */
function readRecorded(folder: string): Recorded[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), "utf8").trim().split("\n"));
  return [...new Set(lines)].map((line) => JSON.parse(line) as Recorded);
}
