/** The last instant of a day such as 2026-11-20 where the reader is, as RFC 3339. */
export function endOfDay(date: string): string {
  return new Date(`${date}T23:59:59.999`).toISOString();
}

/** The reader's day of an instant. */
export function dayOf(instant: string): string {
  const at = new Date(instant);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
