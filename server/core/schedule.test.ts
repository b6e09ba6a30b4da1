import { expect, it } from "vitest";
import { nextRun } from "./schedule";

/** The next times of a cron in a time zone, after this instant. */
function timesOf(cron: string, timeZone: string, from: string, n: number): string[] {
  const times: string[] = [];
  for (let at: Date | null = new Date(from); at && times.length < n; ) {
    at = nextRun({ cron, timeZone }, at);
    if (at) times.push(at.toISOString().slice(0, 16));
  }
  return times;
}

it("keeps the time of day of its zone when clocks change", () => {
  expect(timesOf("0 5 * * *", "Europe/Berlin", "2026-03-27T12:00:00Z", 3)).toEqual([
    "2026-03-28T04:00",
    "2026-03-29T03:00",
    "2026-03-30T03:00",
  ]);
  expect(timesOf("0 5 * * *", "Europe/Berlin", "2026-10-23T12:00:00Z", 3)).toEqual([
    "2026-10-24T03:00",
    "2026-10-25T04:00",
    "2026-10-26T04:00",
  ]);
});

it("fires once on a day on which its time is skipped, and once on a day on which its time occurs twice", () => {
  expect(timesOf("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 2)).toEqual([
    "2026-03-29T01:00",
    "2026-03-30T00:30",
  ]);
  expect(timesOf("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2)).toEqual([
    "2026-10-25T00:30",
    "2026-10-26T01:30",
  ]);
});
