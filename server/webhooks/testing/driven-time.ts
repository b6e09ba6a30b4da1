import { vi } from "vitest";
import type { Stage } from "./stage";

/**
 * Makes the timers of this process, including request timeouts, follow the fake clock that `pass` advances. Undo it
 * with `vi.useRealTimers`.
 */
export function driveTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
}

/** Advances the stage's clock and the timers by the same time. */
export async function pass(stage: Stage, ms: number): Promise<void> {
  stage.advance(ms);
  await vi.advanceTimersByTimeAsync(ms);
}
