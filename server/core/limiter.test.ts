import { expect, it } from "vitest";
import { count, forget, giveBack, remembered } from "./limiter";

const limit = (name: string, points = 2) => ({ name, points, seconds: 60 });

it("allows a key its points in each window", () => {
  const two = limit("window");
  expect(count(two, "a", 1, 0)).toEqual({ isOver: false, remaining: 1, msBeforeNext: 60_000 });
  expect(count(two, "a", 1, 1000)).toMatchObject({ isOver: false, remaining: 0 });
  expect(count(two, "a", 1, 2000)).toMatchObject({ isOver: true, msBeforeNext: 58_000 });
  expect(count(two, "b", 1, 2000).isOver).toBe(false);
  expect(count(two, "a", 1, 60_000)).toMatchObject({ isOver: false, remaining: 1 });
});

it("returns points with giveBack and resets a key with forget", () => {
  const two = limit("back");
  count(two, "a", 2);
  giveBack(two, "a");
  expect(count(two, "a").isOver).toBe(false);
  expect(count(two, "a").isOver).toBe(true);
  forget(two, "a");
  expect(count(two, "a").remaining).toBe(1);
});

it("remembers a limited number of keys and forgets the oldest first", () => {
  const one = limit("bounded", 1);
  count(one, "first");
  for (let n = 0; n < 60_000; n++) count(one, `flood-${n}`);
  expect(remembered(one)).toBe(50_000);
  expect(count(one, "first").isOver).toBe(false);
  expect(count(one, "flood-59999").isOver).toBe(true);
});
