import { dayOf, formatClock, formatMoment, formatZonedClock, type Region } from "@/server/core/dates";
import { say } from "./words";

/** Formats a moment of today as its time, and another one as day and time. */
export function pastMoment(at: Date | string, now: Date, region: Region): string {
  return isToday(at, now, region) ? formatClock(at, region) : formatMoment(at, region);
}

/** A past time to follow a verb: "at 14:05 GMT", or "on 21 November 2026 at 14:05 GMT". */
export function pastPhrase(at: Date | string, now: Date, region: Region): string {
  return isToday(at, now, region)
    ? say("at {moment}", { moment: formatZonedClock(at, region) })
    : say("on {moment}", { moment: formatMoment(at, region) });
}

const isToday = (at: Date | string, now: Date, { timeZone }: Region) => dayOf(at, timeZone) === dayOf(now, timeZone);

/** The reader's own time zone. Known only once scripts run. */
export const readersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
