import { describe, expect, it } from "vitest";
import { parseEnv } from "@/server/core/env";
import { nextDelay, parseRetryAfter, steps } from "./schedule";

const now = new Date("2026-11-06T12:00:00Z");

describe("Retry-After (RFC 9110 section 10.2.3)", () => {
  it.each([
    ["seconds", "120", 120_000],
    ["none at all", "0", 0],
    ["seconds between spaces", " 7 ", 7000],
    ["a date", "Fri, 06 Nov 2026 12:00:30 GMT", 30_000],
    ["a date as RFC 850 wrote it", "Friday, 06-Nov-26 12:00:30 GMT", 30_000],
    ["a date as asctime() wrote it, in GMT", "Fri Nov  6 12:00:30 2026", 30_000],
  ])("takes %s", (_, value, ms) => expect(parseRetryAfter(value, now)).toBe(ms));

  it.each([
    ["nothing", undefined],
    ["an empty one", ""],
    ["words", "later"],
    ["a negative number", "-5"],
    ["a fraction", "1.5"],
    ["two", "120, 120"],
    ["a past date", "Fri, 06 Nov 2020 12:00:30 GMT"],
    ["this very second", "Fri, 06 Nov 2026 12:00:00 GMT"],
    ["another form of date", "2026-11-06T12:00:30Z"],
    ["another zone", "Fri, 06 Nov 2026 12:00:30 EST"],
    ["no such date", "Fri, 06 Nix 2026 12:00:30 GMT"],
  ])("ignores %s", (_, value) => expect(parseRetryAfter(value, now)).toBeNull());

  it("reads a date as GMT in any time zone of the machine", () => {
    const zone = process.env["TZ"];
    try {
      process.env["TZ"] = "America/New_York";
      expect(parseRetryAfter("Fri Nov  6 12:00:30 2026", now)).toBe(30_000);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  it.each(["9999999999", "9".repeat(400), "Fri, 31 Dec 9999 23:59:59 GMT"])(
    "counts for up to twice the step, however long it asks for: %s",
    (value) => {
      for (const [step, usual] of steps.entries()) expect(nextDelay(step, parseRetryAfter(value, now))).toBe(2 * usual);
    },
  );
});

it("the shortest retention allowed keeps an event and its attempts longer than the longest schedule of retries", () => {
  const longest = steps.reduce((sum, _, step) => sum + nextDelay(step, Infinity)!, 0);
  const settings = {
    DATABASE_URL: "postgresql://db/x",
    BONAFIDE_SECRET: "s".repeat(32),
    PUBLIC_URL: "https://example.edu",
  };
  for (const name of ["RETENTION_EVENTS_DAYS", "RETENTION_ATTEMPTS_DAYS"] as const) {
    const allowed = Array.from({ length: 30 }, (_, days) => days).filter((days) => {
      try {
        return parseEnv({ ...settings, [name]: String(days) })[name] === days;
      } catch {
        return false;
      }
    });
    expect(allowed[0]! * 86_400_000).toBeGreaterThan(longest);
  }
});
