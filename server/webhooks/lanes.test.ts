import { expect, it } from "vitest";
import type { Wanted } from "./claim";
import { Lanes } from "./lanes";

/** Lets every lane claim as much as it wants, of more than enough, until none wants more. Nothing is answered. */
function fill(lanes: Lanes): Wanted[] {
  const all: Wanted[] = [];
  for (let wanted = lanes.want(false); wanted.length > 0; wanted = lanes.want(false)) {
    all.push(...wanted);
    for (const want of wanted) lanes.of(want).claimed(Array.from({ length: want.slots }, (_, n) => ({ dueAt: new Date(n), id: `dlv_${n}` })), want.slots);
  }
  return all;
}

const inFlight = (wanted: Wanted[]) => wanted.reduce((sum, { slots }) => sum + slots, 0);

it("an organisation with hundreds of endpoints that hang crowds neither the process nor another, and each of its endpoints has its turn", () => {
  const lanes = new Lanes();
  const endpoints = Array.from({ length: 200 }, (_, n) => ({ orgId: "org_many", endpointId: `whe_${n}` }));
  for (const endpoint of endpoints) lanes.of(endpoint).hint();
  const taken = fill(lanes);
  expect(inFlight(taken)).toBeLessThan(1000);
  expect(new Set(taken.map(({ endpointId }) => endpointId)).size).toBe(200);
  const other = { orgId: "org_other", endpointId: "whe_other" };
  lanes.of(other).hint();
  expect(fill(lanes)).toMatchObject([{ ...other, slots: 16 }]);
  for (const { orgId, endpointId, slots } of taken) for (let n = 0; n < slots; n++) lanes.of({ orgId, endpointId }).ended(false);
  expect(inFlight(fill(lanes))).toBe(400);
});
