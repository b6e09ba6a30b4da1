import { describe, expect, it } from "vitest";
import { dayPattern, readDay, sayDay, writeDay } from "./read-day";

describe("a day that somebody typed", () => {
  it.each([
    ["31/12/2028", "en-GB"],
    ["31122028", "en-GB"],
    ["31.12.2028", "en-GB"],
    [" 31 12 2028 ", "en-GB"],
    ["31-12-2028", "en-GB"],
    ["2028-12-31", "en-GB"],
    ["2028/12/31", "en-GB"],
    ["12/31/2028", "en-US"],
    ["12312028", "en-US"],
    ["31.12.2028", "de"],
    ["2028. 12. 31.", "hu"],
    ["2028. 12. 31.", "ko"],
    ["20281231", "ja"],
    ["٣١/١٢/٢٠٢٨", "ar-EG"],
    ["31/12/2028", "th"],
  ])("%s in %s is 31 December 2028", (text, locale) => {
    expect(readDay(text, locale)).toEqual({ day: "2028-12-31", problem: null });
  });

  it.each(["en-GB", "en-US", "de", "fr-CA", "hu", "ko", "ja", "zh", "ar-EG", "fa", "th", "he", "sv", "lt", "bn"])(
    "is read from what %s writes",
    (locale) => {
      for (const day of ["2028-12-31", "2029-02-03", "1987-11-09"])
        expect(readDay(writeDay(day, locale), locale)).toEqual({ day, problem: null });
    },
  );

  it("is nothing if the field is empty", () => {
    expect(readDay("  ", "en-GB")).toEqual({ day: null, problem: null });
  });

  it.each([
    "31",
    "31/12",
    "31/12/",
    "31/12/28",
    "31/12/202",
    "31/12/0202",
    "3112202",
    "31/12/20288",
    "31 12 2028 1",
    "tomorrow",
    "31 December",
    "031/12/2028",
  ])("%s is no whole day, and no day is made of it", (text) => {
    expect(readDay(text, "en-GB")).toEqual({
      day: null,
      problem: expect.stringMatching(/^Write the whole day, such as 31\/12\/\d{4}\.$/),
    });
  });

  it.each([
    ["31/02/2026", "31 February 2026"],
    ["29022027", "29 February 2027"],
    ["2026-04-31", "31 April 2026"],
  ])("%s is not in the calendar", (text, words) => {
    expect(readDay(text, "en-GB")).toEqual({ day: null, problem: `There is no ${words}.` });
  });

  it.each(["12/31/2028", "00/12/2028", "31/00/2028", "20281231"])("%s is no day where the day comes first", (text) => {
    expect(readDay(text, "en-GB").day).toBeNull();
    expect(readDay(text, "en-GB").problem).not.toBeNull();
  });

  it.each([
    ["en-GB", "dd/mm/yyyy"],
    ["en-US", "mm/dd/yyyy"],
    ["de", "dd.mm.yyyy"],
    ["sv", "yyyy-mm-dd"],
  ])("is asked for in %s as %s", (locale, pattern) => {
    expect(dayPattern(locale)).toBe(pattern);
  });

  it("is said in words of the locale", () => {
    expect(sayDay("2028-12-03", "en-GB")).toBe("3 December 2028");
    expect(sayDay("2028-12-03", "de")).toBe("3. Dezember 2028");
    expect(sayDay("2028-12-03", "th")).toContain("2028");
  });
});
