import { expect, it } from "vitest";
import { Offenders } from "./offenders";

const second = 1000;

it("remembers a caller for ten seconds, and twice as long each time it offends again soon", () => {
  const offenders = new Offenders();
  expect(offenders.has("a", 0)).toBe(false);
  offenders.add("a", 0);
  expect([offenders.has("a", 9 * second), offenders.has("a", 10 * second)]).toEqual([true, false]);
  offenders.add("a", 15 * second);
  expect([offenders.has("a", 34 * second), offenders.has("a", 35 * second)]).toEqual([true, false]);
  offenders.add("a", 100 * second);
  expect([offenders.has("a", 109 * second), offenders.has("a", 110 * second)]).toEqual([true, false]);
  expect(offenders.has("b", 105 * second)).toBe(false);
});

it("remembers nobody for longer than ten minutes", () => {
  const offenders = new Offenders();
  for (let i = 0; i < 20; i++) offenders.add("a", i);
  expect([offenders.has("a", 599 * second), offenders.has("a", 601 * second)]).toEqual([true, false]);
});

it("forgets the oldest of more than 1,000 callers", () => {
  const offenders = new Offenders();
  for (let i = 0; i <= 1000; i++) offenders.add(`caller ${i}`, 0);
  expect([0, 1, 1000].map((i) => offenders.has(`caller ${i}`, second))).toEqual([false, true, true]);
});
