import { expect, it } from "vitest";
import { pastPhrase } from "./past-moment";

const london = { timeZone: "Europe/London", locale: "en-GB" };

it.each([
  ["the time alone on the same day", "2026-11-22T07:11:00Z", london, "at 07:11 GMT"],
  ["the day as well on another one", "2026-11-21T07:11:00Z", london, "on 21 November 2026 at 07:11 GMT"],
  ["the hours as the locale counts them", "2026-11-22T15:11:00Z", { ...london, locale: "en-US" }, "at 3:11 PM GMT"],
])("a past answer is told with %s", (_, at, region, text) => {
  expect(pastPhrase(at, new Date("2026-11-22T17:00:00Z"), region).replaceAll("\u202f", " ")).toBe(text);
});
