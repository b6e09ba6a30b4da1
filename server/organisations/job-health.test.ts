import { describe, expect, it } from "vitest";
import { setEngineStatus, type EngineStatus } from "@/server/core/engine-status";
import { world } from "@/server/testing/world";
import { getJobHealth } from "./job-health";

const status = (some: Partial<EngineStatus>): EngineStatus => ({
  mode: "embedded",
  ready: true,
  problem: null,
  queued: 3,
  running: 1,
  oldestDueSeconds: 0,
  failed24h: 2,
  ...some,
});

describe("the health of background work", () => {
  it("reports whether it runs, is late or has stopped, without counts of other organisations", async () => {
    const { ctx } = await world();
    expect(await getJobHealth(ctx, {})).toEqual({ object: "job_health", state: "stopped", lateBySeconds: null });
    setEngineStatus(async () => status({ oldestDueSeconds: 120 }));
    expect(await getJobHealth(ctx, {})).toEqual({ object: "job_health", state: "running", lateBySeconds: null });
    setEngineStatus(async () => status({ oldestDueSeconds: 300.4 }));
    expect(await getJobHealth(ctx, {})).toEqual({ object: "job_health", state: "late", lateBySeconds: 300 });
    setEngineStatus(async () =>
      status({ mode: "inngest", queued: null, running: null, oldestDueSeconds: null, failed24h: null }),
    );
    expect(await getJobHealth(ctx, {})).toEqual({ object: "job_health", state: "running", lateBySeconds: null });
    setEngineStatus(async () => status({ mode: "inngest", problem: "the Inngest server refuses INNGEST_EVENT_KEY" }));
    expect(await getJobHealth(ctx, {})).toEqual({ object: "job_health", state: "refused", lateBySeconds: null });
    setEngineStatus(async () => status({ ready: false, oldestDueSeconds: 300 }));
    expect(await getJobHealth(ctx, {})).toEqual({ object: "job_health", state: "stopped", lateBySeconds: null });
  });
});
