import { vi } from "vitest";
import type { Stage } from "./stage";

/**
 * From here on the limits of requests go by the stage's clock, as do the timers of listeners in this process. For
 * `vi.useRealTimers` afterwards.
 */
export function driveTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
}

/** Has time pass for the clock and the timers alike. */
export async function pass(stage: Stage, ms: number): Promise<void> {
  stage.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
}
