import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { progressOn } from "./progress.mjs";

let written, step;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  written = "";
  const out = new Writable({ write: (chunk, _, next) => ((written += chunk), next()) });
  step = progressOn(out);
});
afterEach(() => vi.useRealTimers());

describe("a step", () => {
  test("says what it does, and ends with its result and duration", async () => {
    const result = await step("Pages", async ({ doing, done }) => {
      doing("building");
      vi.advanceTimersByTime(1500);
      done("built");
      return 42;
    });
    expect(result).toBe(42);
    expect(written).toBe("  … Pages            building\n  ✓ Pages            built  1.5 s\n");
  });

  test("reports now and then if it takes long", async () => {
    await step("Pages", async ({ doing }) => {
      doing("building");
      vi.advanceTimersByTime(31_000);
    });
    expect(written.match(/^ {2}… Pages +building {2}(15|30)\.0 s$/gm)).toHaveLength(2);
  });

  test("that fails is marked, and its error is rethrown", async () => {
    await expect(step("Pages", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(written).toBe("  ✗ Pages  0.0 s\n");
  });
});
