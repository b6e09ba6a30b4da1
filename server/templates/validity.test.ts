import { describe, expect, it } from "vitest";
import { expiryOf, validity, type Validity } from "./validity";

const ends = (rule: Validity, from: string, attributes: Record<string, unknown> = {}, timeZone = "UTC") => {
  const at = expiryOf(rule, new Date(from), attributes, timeZone);
  return at instanceof Date ? at.toISOString() : at;
};

describe("validity", () => {
  it.each([
    ["hours", 36, "2026-01-30T12:00:00Z", "2026-02-01T00:00:00.000Z"],
    ["days", 1, "2026-03-28T23:30:00Z", "2026-03-29T23:30:00.000Z"],
    ["weeks", 2, "2026-01-01T00:00:00Z", "2026-01-15T00:00:00.000Z"],
    ["months", 1, "2026-01-31T10:00:00Z", "2026-02-28T10:00:00.000Z"],
    ["months", 13, "2027-01-31T10:00:00Z", "2028-02-29T10:00:00.000Z"],
    ["months", 11, "2026-03-31T00:00:00Z", "2027-02-28T00:00:00.000Z"],
    ["years", 1, "2028-02-29T00:00:00Z", "2029-02-28T00:00:00.000Z"],
    ["years", 4, "2028-02-29T00:00:00Z", "2032-02-29T00:00:00.000Z"],
  ] as const)("of %s: %i from %s ends %s", (unit, amount, from, expected) => {
    expect(ends({ type: "duration", amount, unit }, from)).toBe(expected);
  });

  it("of none never ends", () => {
    expect(ends({ type: "none" }, "2026-01-01T00:00:00Z")).toBeNull();
  });

  it("of a date lasts through that day, of an instant until then", () => {
    expect(ends({ type: "fixed_date", date: "2027-08-31" }, "2026-01-01T00:00:00Z")).toBe("2027-09-01T00:00:00.000Z");
    expect(ends({ type: "fixed_date", date: "2027-08-31T12:00:00+02:00" }, "2026-01-01T00:00:00Z")).toBe(
      "2027-08-31T10:00:00.000Z",
    );
  });

  it.each([
    ["Pacific/Kiritimati", "2027-08-31T10:00:00.000Z"],
    ["Pacific/Pago_Pago", "2027-09-01T11:00:00.000Z"],
    ["Europe/Berlin", "2027-08-31T22:00:00.000Z"],
  ])("of a date without a time lasts through that day in %s", (timeZone, end) => {
    expect(ends({ type: "fixed_date", date: "2027-08-31" }, "2026-01-01T00:00:00Z", {}, timeZone)).toBe(end);
    expect(
      ends({ type: "attribute", attribute: "until" }, "2026-01-01T00:00:00Z", { until: "2027-08-31" }, timeZone),
    ).toBe(end);
  });

  it("counts days and months on the calendar of the time zone, and hours by the clock", () => {
    expect(ends({ type: "duration", amount: 6, unit: "months" }, "2026-12-31T23:00:00Z", {}, "Europe/Berlin")).toBe(
      "2027-06-30T22:00:00.000Z",
    );
    expect(ends({ type: "duration", amount: 1, unit: "days" }, "2027-03-27T23:00:00Z", {}, "Europe/Berlin")).toBe(
      "2027-03-28T22:00:00.000Z",
    );
    expect(ends({ type: "duration", amount: 24, unit: "hours" }, "2027-03-27T23:00:00Z", {}, "Europe/Berlin")).toBe(
      "2027-03-28T23:00:00.000Z",
    );
    expect(
      ends({ type: "duration", amount: 1, unit: "months" }, "2027-01-31T10:30:00Z", {}, "Pacific/Kiritimati"),
    ).toBe("2027-02-28T10:30:00.000Z");
  });

  it("of an attribute reads the attribute's path, and is undefined if that holds no date", () => {
    const rule = { type: "attribute", attribute: "contract.end" } as const;
    const of = (end: unknown) => ends(rule, "2026-01-01T00:00:00Z", { contract: { end } });
    expect(of("2027-08-31")).toBe("2027-09-01T00:00:00.000Z");
    expect(of("2027-08-31T00:00:00Z")).toBe("2027-08-31T00:00:00.000Z");
    for (const none of [undefined, null, "", "soon", "2027-02-30", 20270831, {}]) expect(of(none)).toBeUndefined();
    expect(ends(rule, "2026-01-01T00:00:00Z", { contract: "2027-08-31" })).toBeUndefined();
  });

  it.each([
    { type: "never" },
    { type: "duration", amount: 0, unit: "days" },
    { type: "duration", amount: 1.5, unit: "days" },
    { type: "duration", amount: 1, unit: "minutes" },
    { type: "fixed_date", date: "2027-02-30" },
    { type: "attribute", attribute: "a..b" },
    { type: "none", until: 1 },
  ])("cannot be %j", (value) => {
    expect(validity.safeParse(value).success).toBe(false);
  });
});
