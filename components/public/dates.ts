const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

export const dayText = (at: string) => day.format(new Date(at));

/**
 * Until when something holds. What ends at midnight is valid through the day before, which is how people say it; anything
 * else is told to the minute.
 */
export function untilText(at: string): string {
  const end = new Date(at);
  return end.getTime() % 86_400_000 === 0 ? day.format(new Date(end.getTime() - 1)) : `${moment.format(end)} UTC`;
}
