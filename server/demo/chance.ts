/**
 * Returns seeded pseudo-random functions (mulberry32): the same numbers each time, so that every demo tells the same
 * story.
 */
export function chanceFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** True with this probability, from 0 to 1. */
    happens: (share: number) => next() < share,
    /** An integer from `low` to `high`, inclusive. */
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!,
  };
}

export type Chance = ReturnType<typeof chanceFrom>;
