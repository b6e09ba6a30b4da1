import { Cron } from "croner";
import { z } from "zod";
import { isTimeZone } from "./dates";

export interface Schedule {
  cron: string;
  timeZone: string;
}

/** A run evaluates everybody, so runs are at least this far apart. */
const leastMinutes = 5;

// The common syntax of cron: numbers, names, lists, ranges and steps. croner's own extensions are refused.
const cronField = String.raw`(?:\*|\d+|[A-Za-z]{3})(?:[-/]\w+)*(?:,(?:\d+|[A-Za-z]{3})(?:[-/]\w+)*)*`;
const cronForm = new RegExp(`^${cronField}(?: ${cronField}){4}$`);

/** A schedule in a request. Its default time zone is the organisation's. */
export const scheduleInput = z
  .strictObject({
    cron: z
      .string()
      .max(100)
      .superRefine((pattern, issue) => {
        const message = wrongCron(pattern);
        if (message) issue.addIssue({ code: "custom", message });
      })
      .meta({
        description: `Minute, hour, day of the month, month, day of the week: 0 5 * * * is every day at 05:00. At most every ${leastMinutes} minutes.`,
      }),
    timeZone: z
      .string()
      .max(64)
      .refine(isTimeZone, "must be the name of a time zone, such as Europe/Berlin")
      .optional()
      .meta({ description: "The organisation's unless sent." }),
  })
  .meta({ id: "Schedule" });

function wrongCron(pattern: string): string | undefined {
  if (!cronForm.test(pattern)) return "must be a cron of five fields, such as 0 5 * * *";
  try {
    const runs = new Cron(pattern, { mode: "5-part", timezone: "UTC" }).nextRuns(5);
    if (runs.length === 0) return "must name a time that comes";
    const isOften = runs.some((at, i) => i > 0 && at.getTime() - runs[i - 1]!.getTime() < leastMinutes * 60_000);
    return isOften ? `must not run more often than every ${leastMinutes} minutes` : undefined;
  } catch {
    return "must be a cron of five fields, such as 0 5 * * *";
  }
}

/** Returns the first time of a schedule after `now`; null without a schedule. */
export const nextRun = (schedule: Schedule | null, now: Date): Date | null =>
  schedule && new Cron(schedule.cron, { mode: "5-part", timezone: schedule.timeZone }).nextRun(now);
