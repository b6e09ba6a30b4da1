import { expect, it } from "vitest";
import type { Id } from "./ids";
import { Turns } from "./turns";

const [a, b, c] = ["a", "b", "c"].map((each) => each as unknown as Id<"org">) as [Id<"org">, Id<"org">, Id<"org">];
const bounds = { doing: "things are done", each: 3, all: 4, waitMs: 60_000 };

/** Work that ends when it is told to. */
function works(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (orgId: Id<"org">, name: string) =>
    turns.take(orgId, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { begun, take, end: (name: string) => ends.get(name)!() };
}

it("does one at a time, and lets the organisations take turns", async () => {
  const { begun, take, end } = works(new Turns(bounds));
  const all = [take(a, "a1"), take(a, "a2"), take(a, "a3"), take(b, "b1"), take(c, "c1")];
  for (const [n, name] of ["a1", "a2", "b1", "c1", "a3"].entries()) {
    await expect.poll(() => begun[n]).toBe(name);
    expect(begun).toHaveLength(n + 1);
    end(name);
    await all.find((_, i) => ["a1", "a2", "a3", "b1", "c1"][i] === name);
  }
});

it("refuses what is more than an organisation's share, more than the line holds, or waited too long, and goes on", async () => {
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

it("goes on after work that failed", async () => {
  const turns = new Turns(bounds);
  await expect(turns.take(a, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await turns.take(a, () => Promise.resolve(1))).toBe(1);
});
