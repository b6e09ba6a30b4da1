import { afterEach, expect, test, vi } from "vitest";
import { coalesced } from "./coalesce";

afterEach(() => vi.useRealTimers());

/** A send that is held until it is let go, and notes what it saw. */
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

test("sends at once; thousands of calls meanwhile are one more send, which sees all that came before it", async () => {
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

test("sends nothing more where nothing more came, and at once again after that", async () => {
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

test("sends again what could not be sent", async () => {
  vi.useFakeTimers();
  const answers = [false, false, true];
  const nudge = coalesced(async () => answers.shift()!, 5);
  nudge();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answers).toEqual([]);
});
