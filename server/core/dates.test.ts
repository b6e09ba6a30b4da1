import { describe, expect, it } from "vitest";
import {
  addToInstant,
  canonicalLocale,
  dayOf,
  endOfDay,
  endsWithDay,
  formatDay,
  formatExact,
  formatMoment,
  formatExactUntil,
  formatUntil,
  isDay,
  isInstant,
  isTimeZone,
  lastDayOf,
  startOfDay,
} from "./dates";

const zones = [
  "UTC",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
  "Europe/Berlin",
  "America/New_York",
  "Africa/Cairo",
  "America/Havana",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
];

describe("a day and the instant at which it ends", () => {
  it.each(zones)("lead back to each other on every day of two years in %s", (timeZone) => {
    for (let at = Date.UTC(2027, 0, 1); at < Date.UTC(2029, 0, 1); at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10);
      const end = endOfDay(day, timeZone);
      expect(lastDayOf(end, timeZone)).toBe(day);
      expect(endsWithDay(end, timeZone)).toBe(true);
      expect(endOfDay(lastDayOf(end, timeZone), timeZone)).toEqual(end);
      expect(dayOf(startOfDay(day, timeZone), timeZone)).toBe(day);
      expect(dayOf(new Date(startOfDay(day, timeZone).getTime() - 1), timeZone)).not.toBe(day);
    }
  });

  it("are the start of the next day in the zone, even if clocks change", () => {
    expect(endOfDay("2029-01-31", "Pacific/Kiritimati").toISOString()).toBe("2029-01-31T10:00:00.000Z");
    expect(endOfDay("2029-01-31", "Pacific/Pago_Pago").toISOString()).toBe("2029-02-01T11:00:00.000Z");
    expect(endOfDay("2029-03-24", "Europe/Berlin").toISOString()).toBe("2029-03-24T23:00:00.000Z");
    expect(endOfDay("2029-03-25", "Europe/Berlin").toISOString()).toBe("2029-03-25T22:00:00.000Z");
    // In Cairo the clock goes from 23:59 on Thursday to 01:00 on Friday.
    expect(endOfDay("2027-04-29", "Africa/Cairo").toISOString()).toBe("2027-04-29T22:00:00.000Z");
    // In Havana 00:00 comes twice; the day begins with the first.
    expect(endOfDay("2027-11-06", "America/Havana").toISOString()).toBe("2027-11-07T04:00:00.000Z");
  });

  it("distinguish an end within a day from one at the end of the day", () => {
    expect(endsWithDay("2029-01-19T12:00:00Z", "UTC")).toBe(false);
    expect(endsWithDay("2029-01-19T23:59:59Z", "UTC")).toBe(true);
    expect(lastDayOf("2029-01-19T23:59:59.999Z", "UTC")).toBe("2029-01-19");
    expect(lastDayOf("2029-01-20T00:00:00Z", "UTC")).toBe("2029-01-19");
    expect(lastDayOf("2029-01-20T00:00:00Z", "Pacific/Kiritimati")).toBe("2029-01-20");
  });
});

describe("isDay and isInstant", () => {
  it.each(["2026-02-28", "2028-02-29", "2026-12-31", "0001-01-01", "9999-12-31"])(
    "accept %s, which is in the calendar",
    (day) => {
      expect(isDay(day)).toBe(true);
      expect(isInstant(`${day}T10:00:00Z`)).toBe(true);
    },
  );

  it.each([
    "2027-02-31",
    "2026-02-29",
    "2100-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-10",
    "2026-01-00",
    "2026-1-1",
  ])("refuse %s, which is not in the calendar", (day) => {
    expect(isDay(day)).toBe(false);
    expect(isInstant(`${day}T10:00:00Z`)).toBe(false);
    expect(isInstant(`${day}T10:00:00+02:00`)).toBe(false);
  });
});

it("adds months at the same time of day, and ends on the last day of a shorter month", () => {
  expect(addToInstant(new Date("2026-03-01T11:00:00Z"), { months: 1 }, "Europe/Berlin").toISOString()).toBe(
    "2026-04-01T10:00:00.000Z",
  );
  expect(addToInstant(new Date("2026-03-28T11:00:00Z"), { days: 1 }, "Europe/Berlin").toISOString()).toBe(
    "2026-03-29T10:00:00.000Z",
  );
  expect(addToInstant(new Date("2026-01-31T10:00:00Z"), { months: 1 }, "UTC").toISOString()).toBe(
    "2026-02-28T10:00:00.000Z",
  );
});

describe("writing", () => {
  const region = { timeZone: "Europe/Berlin", locale: "en-GB" };

  it("follows the locale and the zone, and names the zone with a time of day", () => {
    expect(formatDay("2029-01-19", { timeZone: "Pacific/Pago_Pago", locale: "en-GB" })).toBe("19 January 2029");
    expect(formatDay("2029-01-19T23:30:00Z", region)).toBe("20 January 2029");
    expect([formatDay("2029-01-19", region, "short"), formatDay("2029-01-19", region, "weekday")]).toEqual([
      "19 Jan",
      "Friday 19 January",
    ]);
    expect(formatDay("2029-01-19", { ...region, locale: "de-DE" })).toBe("19. Januar 2029");
    expect(formatDay("2029-01-19", { ...region, locale: "en-US" })).toBe("January 19, 2029");
    expect(formatMoment("2029-01-19T13:05:00Z", region)).toBe("19 January 2029 at 14:05 CET");
    expect(formatExact("2029-07-19T12:05:09Z", region)).toBe("19 July 2029 at 14:05:09 CEST");
  });

  it("gives the last day before an end, and the time only where the exact end is asked for", () => {
    const ends = ["2029-01-19T23:00:00Z", "2029-01-20T00:00:00Z"];
    expect(ends.map((end) => formatUntil(end, region))).toEqual(["19 January 2029", "20 January 2029"]);
    expect(ends.map((end) => formatExactUntil(end, region))).toEqual([
      "19 January 2029",
      "20 January 2029 at 01:00 CET",
    ]);
  });
});

it.each(["fa", "fa-IR", "th", "th-TH", "ar-SA", "en-GB-u-ca-buddhist", "ja-JP-u-ca-japanese"])(
  "writes the Gregorian year and day in %s, which has another calendar",
  (locale) => {
    const region = { timeZone: "UTC", locale };
    const [day, moment, exact] = [formatDay, formatMoment, formatExact].map((format) =>
      // Convert digits of every script to ASCII.
      format("2029-01-19T12:00:00Z", region).replace(/\p{Nd}/gu, (digit) => String(digitValue(digit))),
    );
    for (const text of [day, moment, exact]) {
      expect(text).toContain("2029");
      expect(text).toContain("19");
    }
  },
);

/** The value of a digit: the digits of a script are ten consecutive code points. */
function digitValue(digit: string): number {
  const zeros = [0x30, 0x660, 0x6f0, 0xe50];
  return zeros.map((zero) => digit.codePointAt(0)! - zero).find((value) => value >= 0 && value <= 9)!;
}

it("knows names of time zones and locales", () => {
  expect(["Europe/Berlin", "Asia/Kolkata", "UTC", "Etc/UTC"].map(isTimeZone)).toEqual([true, true, true, true]);
  expect(["", "+05:30", "Europe/Atlantis", "Berlin", "../etc"].map(isTimeZone)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(["en-gb", "de", "pt-BR", "zh-hant-tw"].map(canonicalLocale)).toEqual(["en-GB", "de", "pt-BR", "zh-Hant-TW"]);
  expect(["", "english", "en_GB", "xx-YY", "12"].map(canonicalLocale)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
