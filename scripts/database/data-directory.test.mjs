import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
  test("is created, and an existing one is left unchanged", () => {
    const path = join(folder, "a", "b");
    prepareDataDirectory(path);
    expect(readdirSync(path)).toEqual([]);
  });

  test("is refused with an explanation if a file has its name", () => {
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

  test.each(["nowhere", "nowhere/data"])("is refused with an explanation if it is %s, a broken link", (name) => {
    rmSync(join(folder, "nowhere"), { force: true });
    symlinkSync(join(folder, "no", "such"), join(folder, "nowhere"));
    expect(failureOf(join(folder, name))).toMatchObject({
      name: "Failure",
      message: expect.stringMatching(/a link in that path leads nowhere/),
    });
  });

  test.runIf(process.platform === "linux")("is refused in words where the file system makes no folders", () => {
    // In a process of its own: what never returns cannot be ended from within.
    const module = new URL("./data-directory.mjs", import.meta.url);
    const code = `import { prepareDataDirectory } from "${module}"; prepareDataDirectory("/proc/bonafide/data");`;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
      encoding: "utf8",
      timeout: 20_000,
      killSignal: "SIGKILL",
    });
    expect(stderr).toMatch(/\/proc\/bonafide\/data cannot be used: .*its file system makes no folders there/);
  });

  test("is freed of drafts whose process is gone, and of nothing else", () => {
    const path = join(folder, "drafts");
    mkdirSync(path);
    // No system assigns this process id.
    const gone = 2 ** 31 - 2;
    const kept = ["secret", "postgres.json", `server.lock.json.${process.pid}`, `notes.${gone}`];
    const left = ["postgres.lock", "server.lock.json", "postgres-users.json", "postgres.json", "secret"];
    for (const name of [...kept, ...left.map((name) => `${name}.${gone}`), `.probe-${gone}`])
      writeFileSync(join(path, name), "");
    prepareDataDirectory(path);
    expect(readdirSync(path).sort()).toEqual(kept.sort());
  });

  test.runIf(process.getuid() === 0)("of another user is refused with the name of that user", () => {
    const path = join(folder, "foreign");
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, 1, 1);
    chmodSync(folder, 0o755);
    const { stdout } = spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { prepareDataDirectory } from ${JSON.stringify(new URL("data-directory.mjs", import.meta.url))};
         try { prepareDataDirectory(${JSON.stringify(path)}) } catch (error) { console.log(error.message) }`,
      ],
      { uid: 65_534, gid: 65_534, cwd: "/", encoding: "utf8" },
    );
    expect(stdout).toMatch(/\(id 65534\) may not write there; .*foreign belongs to daemon \(id 1\)/);
  });

  // Root may write everywhere.
  test.runIf(process.getuid() !== 0)(
    "is refused with an explanation if this user may not write to it, or not read its files",
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
