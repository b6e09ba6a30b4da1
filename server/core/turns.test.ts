import { expect, it } from "vitest";
import { ranks, Turns, type Rank } from "./turns";

const [a, b, c] = ["a", "b", "c"] as const;
const bounds = { doing: "things are done", atOnce: 1, each: 3, all: 4, waitMs: 60_000 };

/** Work that ends when `end` is called. */
function works(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (caller: string, name: string) =>
    turns.take(caller, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { begun, take, end: (name: string) => ends.get(name)!() };
}

it("runs one at a time, and lets callers take turns", async () => {
  const { begun, take, end } = works(new Turns(bounds));
  const all = [take(a, "a1"), take(a, "a2"), take(a, "a3"), take(b, "b1"), take(c, "c1")];
  for (const [n, name] of ["a1", "a2", "b1", "c1", "a3"].entries()) {
    await expect.poll(() => begun[n]).toBe(name);
    expect(begun).toHaveLength(n + 1);
    end(name);
    await all.find((_, i) => ["a1", "a2", "a3", "b1", "c1"][i] === name);
  }
});

it("refuses work above the caller's share, above the limit of waiting work, or that waited too long, and goes on", async () => {
  const { take, end } = works(new Turns(bounds));
  const [first, ...rest] = [take(a, "a1"), take(a, "a2"), take(a, "a3"), take(b, "b1"), take(b, "b2")];
  await expect(take(a, "a4")).rejects.toMatchObject({
    code: "rate_limited",
    extras: { headers: { "retry-after": "1" } },
  });
  await expect(take(c, "c1")).rejects.toMatchObject({
    code: "unavailable",
    extras: { headers: { "retry-after": "5" } },
  });
  end("a1");
  expect(await first).toBe("a1");
  for (const name of ["a2", "b1", "a3", "b2"])
    await expect
      .poll(() => {
        try {
          end(name);
          return true;
        } catch {
          return false;
        }
      })
      .toBe(true);
  await Promise.all(rest);
  const short = works(new Turns({ ...bounds, waitMs: 1 }));
  const held = short.take(a, "held");
  await expect(short.take(b, "late")).rejects.toMatchObject({ code: "unavailable" });
  short.end("held");
  expect(await held).toBe("held");
});

it("runs further work after work that failed", async () => {
  const turns = new Turns(bounds);
  await expect(turns.take(a, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await turns.take(a, () => Promise.resolve(1))).toBe(1);
});

it("runs up to atOnce works at a time, and counts them", async () => {
  const turns = new Turns({ ...bounds, atOnce: 2 });
  const { begun, take, end } = works(turns);
  const all = [take(a, "a1"), take(a, "a2"), take(a, "a3"), take(b, "b1")];
  await expect.poll(() => begun).toEqual(["a1", "a2"]);
  expect(turns.counts).toEqual({ active: 2, waiting: 2 });
  end("a2");
  await all[1];
  await expect.poll(() => begun).toEqual(["a1", "a2", "a3"]);
  end("a3");
  await expect.poll(() => begun).toEqual(["a1", "a2", "a3", "b1"]);
  for (const name of ["a1", "b1"]) end(name);
  await Promise.all(all);
  expect(turns.counts).toEqual({ active: 0, waiting: 0 });
});

/** Takes a turn with a rank, for work that ends on command. */
function ranked(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (caller: string, rank: Rank | (() => Rank), name = caller) =>
    turns.take(
      caller,
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      typeof rank === "function" ? rank : () => rank,
    );
  return { begun, take, end: (name: string) => ends.get(name)!() };
}

it("runs work of the first rank before work that has waited longer behind it", async () => {
  const { begun, take, end } = ranked(new Turns(bounds));
  const all = [take("x", ranks.behind), take("y", ranks.last), take("z", ranks.behind), take(a, ranks.first)];
  for (const [n, name] of ["x", "a", "z", "y"].entries()) {
    await expect.poll(() => begun[n]).toBe(name);
    end(name);
  }
  await Promise.all(all);
});

it("asks for a caller's rank only when its turn may have come", async () => {
  const { begun, take, end } = ranked(new Turns(bounds));
  let rank: Rank = ranks.behind;
  const all = [take("x", () => rank, "x1"), take("x", () => rank, "x2"), take("y", ranks.behind)];
  rank = ranks.last;
  for (const [n, name] of ["x1", "y", "x2"].entries()) {
    await expect.poll(() => begun[n]).toBe(name);
    end(name);
  }
  await Promise.all(all);
});

it("keeps one of several places, and half of the queue, for the first rank", async () => {
  const turns = new Turns({ ...bounds, atOnce: 2 });
  const { begun, take, end } = ranked(turns);
  const behind = ["x", "y", "z"].map((name) => take(name, ranks.behind));
  await expect(take("w", ranks.behind)).rejects.toMatchObject({ code: "unavailable" });
  const first = take(a, ranks.first);
  await expect.poll(() => begun).toEqual(["x", "a"]);
  for (const name of ["a", "x", "y", "z"]) {
    await expect.poll(() => begun).toContain(name);
    end(name);
  }
  await Promise.all([...behind, first]);
  expect(turns.counts).toEqual({ active: 0, waiting: 0 });
});

it("runs one work at a time of a caller of the last rank", async () => {
  const { begun, take, end } = ranked(new Turns(bounds));
  const one = take("x", ranks.last);
  await expect(take("x", ranks.last)).rejects.toMatchObject({ code: "rate_limited" });
  await expect.poll(() => begun).toEqual(["x"]);
  end("x");
  await one;
});
