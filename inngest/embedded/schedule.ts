import { Cron } from "croner";

/** The times at which a cron trigger fires, to the minute, in its time zone. */
export interface Schedule {
  /** As the function wrote it, e.g. `TZ=Europe/Berlin 5 4 * * *`. */
  cron: string;
  /** The first tick after `moment`; null if there is none. */
  next(moment: Date): Date | null;
  /** The last tick that is not after `moment`. */
  latest(moment: Date): Date | undefined;
}

// The syntax common to every cron: numbers, names, lists, ranges and steps. croner's extensions are refused.
const field = /^(\*|\d+|[A-Za-z]{3})([-/]\w+)*(,(\d+|[A-Za-z]{3})([-/]\w+)*)*$/;

/**
 * Parses a cron of five fields, with an optional `TZ=<zone> ` before them (default: UTC).
 *
 * @throws Error that says what is wrong.
 */
export function parseSchedule(cron: string): Schedule {
  const [, timezone = "UTC", pattern = ""] = /^(?:TZ=(\S+) )?(.*)$/.exec(cron) ?? [];
  const fields = pattern.split(" ");
  if (fields.length !== 5 || !fields.every((f) => field.test(f)))
    throw new Error(`the cron ${JSON.stringify(cron)}: five plain fields`);
  const ticks = cronOf(cron, pattern, timezone);
  return {
    cron,
    next: (moment) => ticks.nextRun(moment),
    // previousRuns excludes the reference time, so add a millisecond.
    latest: (moment) => ticks.previousRuns(1, new Date(moment.getTime() + 1))[0],
  };
}

function cronOf(cron: string, pattern: string, timezone: string): Cron {
  try {
    const ticks = new Cron(pattern, { mode: "5-part", timezone });
    if (ticks.nextRun()) return ticks;
  } catch (error) {
    throw new Error(`the cron ${JSON.stringify(cron)}: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new Error(`the cron ${JSON.stringify(cron)} never comes`);
}
