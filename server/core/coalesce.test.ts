import { afterEach, expect, test, vi } from "vitest";
import { coalesced } from "./coalesce";

afterEach(() => vi.useRealTimers());

/** Work that waits until letGo(), and records the value that it saw when it began. */
function sender(fact: () => number) {
  const saw: number[] = [];
  let release = Promise.withResolvers<void>();
  let begun = Promise.withResolvers<void>();
  return {
    saw,
    send: async () => {
      saw.push(fact());
      begun.resolve();
      await release.promise;
      return true;
    },
    begun: () => begun.promise,
    letGo: () => {
      begun = Promise.withResolvers();
      const held = release;
      release = Promise.withResolvers();
      held.resolve();
    },
  };
}

test("runs at once, and once more for thousands of calls during the run, which sees what was committed before them", async () => {
  let committed = 0;
  const held = sender(() => committed);
  const nudge = coalesced(held.send, 1);
  committed = 1;
  nudge();
  expect(held.saw).toEqual([1]);
  for (let i = 0; i < 5000; i++) {
    committed++;
    nudge();
  }
  held.letGo();
  await held.begun();
  expect(held.saw).toEqual([1, 5001]);
  held.letGo();
});

test("does not run again without a further call, and runs at once for the next one", async () => {
  vi.useFakeTimers();
  const held = sender(() => 0);
  const nudge = coalesced(held.send, 5);
  nudge();
  held.letGo();
  await vi.advanceTimersByTimeAsync(5);
  expect(held.saw).toHaveLength(1);
  nudge();
  expect(held.saw).toHaveLength(2);
});

test("retries failed work", async () => {
  vi.useFakeTimers();
  const answers = [false, false, true];
  const nudge = coalesced(async () => answers.shift()!, 5);
  nudge();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).toEqual([]);
});
