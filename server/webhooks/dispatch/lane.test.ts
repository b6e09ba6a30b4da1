import { describe, expect, it } from "vitest";
import { asId } from "@/server/core/ids";
import { Lane, Share } from "./lane";

const claimed = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ dueAt: new Date(n), id: asId<"dlv">(`dlv_${n}`) }));
function hinted(): Lane {
  const lane = new Lane({ orgId: asId("org"), endpointId: asId("whe") }, new Share());
  lane.hint();
  return lane;
}

describe("a lane", () => {
  it("stays ready if something became due during a claim that could not see it", () => {
    const lane = hinted();
    lane.want(16);
    lane.hint();
    lane.claimed([], 16);
    expect(lane.ready).toBe(true);
    lane.want(16);
    lane.claimed([], 16);
    expect(lane.ready).toBe(false);
  });

  it("continues after a full claim, and starts again from the oldest before it reports that nothing is left", () => {
    const lane = hinted();
    expect(lane.want(2).after).toBeNull();
    lane.claimed(claimed(2), 2);
    expect(lane.want(2).after).toEqual({ dueAt: new Date(1), id: "dlv_1" });
    lane.claimed(claimed(1), 2);
    expect([lane.ready, lane.want(2).after]).toEqual([true, null]);
    lane.claimed([], 2);
    expect(lane.ready).toBe(false);
  });

  it("shrinks its window when the endpoint does not answer, and grows it when it does", () => {
    const lane = hinted();
    const first = lane.slots(false);
    lane.claimed(claimed(first), first);
    expect(lane.slots(false)).toBe(0);
    for (let i = 0; i < first; i++) lane.ended(false);
    const afterSilence = lane.slots(false);
    lane.claimed(claimed(afterSilence), afterSilence);
    for (let i = 0; i < afterSilence; i++) lane.ended(true);
    expect([first, afterSilence, lane.slots(false) > afterSilence, lane.slots(true)]).toEqual([16, 2, true, 2]);
  });
});
