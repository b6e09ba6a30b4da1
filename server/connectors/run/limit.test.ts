import fc from "fast-check";
import { expect, it } from "vitest";
import { activeThatDecide, limitFor } from "./limit";

it("makes the same decision from the people that it counts as from all of them", () => {
  const few = fc.nat(200);
  fc.assert(
    fc.property(
      fc.nat(100),
      few,
      few,
      few,
      fc.nat(5_000),
      (deactivationPercent, deactivations, recent, more, active) => {
        const limits = { deactivations, deactivationPercent };
        const counted = Math.min(active, activeThatDecide(limits, { recent, more }));
        for (const stillRemoved of [recent, Math.floor(recent / 2), 0])
          expect(stillRemoved + more <= limitFor(limits, { recent: stillRemoved, active: counted })).toBe(
            stillRemoved + more <= limitFor(limits, { recent: stillRemoved, active }),
          );
      },
    ),
    { numRuns: 5_000 },
  );
});

it("counts few people for few removals, however many people a directory has", () => {
  expect(activeThatDecide({ deactivations: 10, deactivationPercent: 10 }, { recent: 20, more: 1 })).toBeLessThan(200);
});
