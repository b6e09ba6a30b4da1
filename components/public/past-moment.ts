import { dayOf, formatClock, formatMoment, type Region } from "@/server/core/dates";
import { say } from "./words";

/** Formats a moment of today as its time, and another one as day and time. */
export function pastMoment(at: Date | string, now: Date, region: Region): string {
  return isToday(at, now, region) ? formatClock(at, region) : formatMoment(at, region);
}

/** Formats a moment to follow a verb: "at 14:05", or "on 21 November 2026 at 14:05 GMT". */
export function pastPhrase(at: Date | string, now: Date, region: Region): string {
  return say(isToday(at, now, region) ? "at {moment}" : "on {moment}", { moment: pastMoment(at, now, region) });
}

const isToday = (at: Date | string, now: Date, { timeZone }: Region) => dayOf(at, timeZone) === dayOf(now, timeZone);

/** The reader's own time zone. Known only once scripts run. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
