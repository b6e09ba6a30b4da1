import { expect, it } from "vitest";
import { fieldsToSend, firstEntered, type Entered } from "./entered";
import { readRenewal, wordsOfRenewal } from "./words";

const all = Object.keys(firstEntered) as (keyof Entered)[];
const rule = { field: "status", op: "eq", value: "active" };

it("sends a rule or a group, never both", () => {
  const of = (entered: Partial<Entered>, given: typeof rule | null) =>
    fieldsToSend({ ...firstEntered, ...entered }, all, { rule: given, timeZone: undefined });
  expect(of({}, rule)).toMatchObject({ rule, renewal: null, schedule: { cron: "0 5 * * *" } });
  expect(of({}, rule)).not.toHaveProperty("groupId");
  const ofGroup = of({ chosenBy: "group", groupId: "grp_1", renewal: "30d", cron: " " }, null);
  expect(ofGroup).toMatchObject({ groupId: "grp_1", renewal: { before: "30d" }, schedule: null });
  expect(ofGroup).not.toHaveProperty("rule");
});

it("sends only the changed fields, and keeps the time zone of a schedule", () => {
  const entered = { ...firstEntered, percent: "20", cron: "0 6 * * *" };
  expect(fieldsToSend(entered, ["percent", "cron"], { rule, timeZone: "Europe/Berlin" })).toEqual({
    blastRadius: { percent: 20, count: 500 },
    schedule: { cron: "0 6 * * *", timeZone: "Europe/Berlin" },
  });
  expect(fieldsToSend(entered, ["chosenBy"], { rule, timeZone: undefined })).toEqual({ rule });
});

it("says the time before an expiry in words", () => {
  expect([readRenewal("30d"), readRenewal("2mo"), readRenewal("d")]).toEqual([
    { amount: "30", unit: "d" },
    { amount: "2", unit: "mo" },
    { amount: "", unit: "d" },
  ]);
  expect(wordsOfRenewal("1w")).toBe("1 week before it expires, while its holder matches");
});
