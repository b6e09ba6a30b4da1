import { expect, test } from "vitest";
import { parseSchedule } from "./schedule";

const next = (cron: string, from: string) => parseSchedule(cron).next(new Date(from))?.toISOString();
const latest = (cron: string, at: string) => parseSchedule(cron).latest(new Date(at))?.toISOString();

test("a cron ticks in its time zone, or in UTC if it names none, also across a change to summer time", () => {
  expect(next("5 4 * * *", "2026-03-01T12:00:00Z")).toBe("2026-03-02T04:05:00.000Z");
  expect(next("TZ=Europe/Berlin 5 4 * * *", "2026-03-28T12:00:00Z")).toBe("2026-03-29T02:05:00.000Z");
  expect(next("TZ=Europe/Berlin 5 4 * * *", "2026-03-27T12:00:00Z")).toBe("2026-03-28T03:05:00.000Z");
});

test("next is after the given moment, latest may be the moment itself", () => {
  expect(next("*/5 * * * *", "2026-03-01T12:05:00Z")).toBe("2026-03-01T12:10:00.000Z");
  expect(latest("*/5 * * * *", "2026-03-01T12:05:00Z")).toBe("2026-03-01T12:05:00.000Z");
  expect(latest("*/5 * * * *", "2026-03-01T12:04:59.999Z")).toBe("2026-03-01T12:00:00.000Z");
});

test("a cron may use lists, ranges, steps and names", () => {
  expect(next("0,30 8-17/3 * JAN,MAR MON-FRI", "2026-03-01T12:00:00Z")).toBe("2026-03-02T08:00:00.000Z");
});
