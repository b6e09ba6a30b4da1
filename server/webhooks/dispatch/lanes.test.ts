import { queryObjects } from "node:v8";
import { expect, it } from "vitest";
import { asId } from "@/server/core/ids";
import type { Wanted } from "./claim";
import { type EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import { Share } from "./lane";
import { Lanes } from "./lanes";

/**
 * Lets every lane claim all that it wants, with unlimited due deliveries, until none wants more. Nothing is answered.
 */
function fill(lanes: Lanes): Wanted[] {
  const all: Wanted[] = [];
  for (let wanted = lanes.want(false); wanted.length > 0; wanted = lanes.want(false)) {
    all.push(...wanted);
    for (const want of wanted)
      lanes.of(want).claimed(
        Array.from({ length: want.slots }, (_, n) => ({ dueAt: new Date(n), id: asId(`dlv_${n}`) })),
        want.slots,
      );
  }
  return all;
}

const inFlight = (wanted: Wanted[]) => wanted.reduce((sum, { slots }) => sum + slots, 0);

it("an organisation with 200 hanging endpoints crowds neither the process nor others, and each of its endpoints gets a turn", () => {
  const lanes = new Lanes();
  const endpoints = Array.from({ length: 200 }, (_, n) => ({
    orgId: asId<"org">("org_many"),
    endpointId: asId<"whe">(`whe_${n}`),
  }));
  for (const endpoint of endpoints) lanes.of(endpoint).hint();
  const taken = fill(lanes);
  expect(inFlight(taken)).toBeLessThan(1000);
  expect(new Set(taken.map(({ endpointId }) => endpointId)).size).toBe(200);
  const other = { orgId: asId<"org">("org_other"), endpointId: asId<"whe">("whe_other") };
  lanes.of(other).hint();
  expect(fill(lanes)).toMatchObject([{ ...other, slots: 16 }]);
  for (const { orgId, endpointId, slots } of taken)
    for (let n = 0; n < slots; n++) lanes.of({ orgId, endpointId }).ended(false);
  expect(inFlight(fill(lanes))).toBe(400);
});

it("an organisation's share is released with its last lane and not before", () => {
  const lanes = new Lanes();
  const before = queryObjects(Share, { format: "count" });
  const organisations = Array.from({ length: 100 }, (_, n) => asId<"org">(`org_${n}`));
  const endpoints = ["a", "b"].map((name) =>
    organisations.map((orgId) => ({ orgId, endpointId: asId<"whe">(`whe_${orgId}_${name}`) })),
  );
  for (const endpoint of endpoints.flat()) lanes.of(endpoint).hint();
  for (let wanted = lanes.want(false); wanted.length > 0; wanted = lanes.want(false)) {
    for (const want of wanted) lanes.of(want).claimed([{ dueAt: new Date(0), id: asId("dlv") }], want.slots);
  }
  const [some, others] = endpoints;
  const end = (ended: EndpointRef[]) => {
    for (const endpoint of ended) lanes.of(endpoint).ended(true);
    lanes.want(false);
  };
  const kept = () => queryObjects(Share, { format: "count" }) - before;
  end(some!);
  for (const endpoint of some!) lanes.of(endpoint);
  expect(kept()).toBe(100);
  end(others!);
  // The JavaScript engine itself may still refer to a few.
  expect(kept()).toBeLessThan(5);
});
