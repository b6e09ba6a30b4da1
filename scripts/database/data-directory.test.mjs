import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { prepareDataDirectory } from "./data-directory.mjs";

const folder = mkdtempSync(join(tmpdir(), "data-"));
afterAll(() => rmSync(folder, { recursive: true }));

function failureOf(path) {
  try {
    prepareDataDirectory(path);
  } catch (error) {
    return error;
  }
}

describe("the data directory", () => {
  test("is made, and left as it is", () => {
    const path = join(folder, "a", "b");
    prepareDataDirectory(path);
    expect(readdirSync(path)).toEqual([]);
  });

  test("is refused in words where a file is in its way", () => {
    writeFileSync(join(folder, "file"), "");
    expect(failureOf(join(folder, "file", "data"))).toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/a part of that path is a file/),
    });
    expect(failureOf(join(folder, "file"))).toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/a file is in its place/),
    });
  });

  // Root may write everywhere.
  test.runIf(process.getuid() !== 0)(
    "is refused in words where this user may not write, or not read what is there",
    () => {
      const closed = join(folder, "closed");
      mkdirSync(closed, { mode: 0o500 });
      expect(failureOf(join(closed, "data"))).toMatchObject({
        message: expect.stringMatching(/may not write there/),
        todo: expect.stringMatching(/DATA_DIR=/),
      });
      for (const name of ["secret", "secret.previous", "postgres.json"]) {
        const foreign = join(folder, `foreign-${name}`);
        mkdirSync(foreign);
        writeFileSync(join(foreign, name), "");
        chmodSync(join(foreign, name), 0);
        expect(failureOf(foreign)).toMatchObject({ message: expect.stringMatching(/belongs to another user/) });
      }
    },
  );
});
