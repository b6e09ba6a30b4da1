import { expect, it, vi } from "vitest";
import { isTestCode, readSource, sourceFiles } from "./sources";

const sources = sourceFiles(["ts", "tsx"]).filter((file) => !isTestCode(file));

it("only server/core/process-state.ts keeps state on globalThis", () => {
  expect(sources.filter((file) => /globalThis as|globalThis\[/.test(readSource(file)))).toEqual([
    "server/core/process-state.ts",
  ]);
});

it("every process state has its own name", () => {
  const names = sources
    .flatMap((file) => [...readSource(file).matchAll(/processState\("([^"]+)"/g)].map(([, name]) => name!))
    .sort();
  // The example in the docstring of processState repeats one.
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual(["engine status"]);
  expect(names.length).toBeGreaterThan(12);
});

it("the limiter counts an address once across two bundles of the code", async () => {
  const limit = { name: "two-bundles", points: 1, seconds: 60 };
  const first = await import("@/server/core/limiter");
  vi.resetModules();
  const second = await import("@/server/core/limiter");
  expect(second.count).not.toBe(first.count);
  expect(first.count(limit, "192.0.2.1").isOver).toBe(false);
  expect(second.count(limit, "192.0.2.1").isOver).toBe(true);
});
