import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { masterSecret } from "./secret.mjs";

let folder;

beforeEach(() => {
  vi.stubEnv("BONAFIDE_SECRET", "");
  folder = mkdtempSync(join(tmpdir(), "secret-"));
  return () => rmSync(folder, { recursive: true });
});

describe("the master secret", () => {
  test("is generated once, kept, and readable for its owner alone", () => {
    const made = masterSecret(folder);
    expect(Buffer.from(made, "base64url")).toHaveLength(32);
    expect(masterSecret(folder)).toBe(made);
    expect(statSync(join(folder, "secret")).mode & 0o777).toBe(0o600);
  });

  test("of the environment wins, and nothing is generated then", () => {
    vi.stubEnv("BONAFIDE_SECRET", "given");
    expect(masterSecret(folder)).toBe("given");
    expect(statSync(join(folder, "secret"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("is not replaced where its file was emptied: data are encrypted with it", () => {
    writeFileSync(join(folder, "secret"), "\n");
    expect(() => masterSecret(folder)).toThrow(/is empty/);
  });
});
