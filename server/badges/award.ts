import { dayOf, isDay, isInstant } from "@/server/core/dates";
import type { JsonObject } from "@/server/standards/json";
import { signableUrl } from "@/server/standards/vcdm/forms";
import { filled } from "./achievement-document";
import type { BadgeFacts } from "./facts";

type Awarded = Pick<BadgeFacts, "data" | "valid_from">;

/**
 * When the award was made, as a document states it (Open Badges 3.0, `awardedDate`): `awardedDate` in the credential's
 * data; without it, the beginning of the credential. It is kept when the credential is reissued. The standard requires
 * a time. A day is written as its noon in UTC, which falls within that day in the zones from UTC-12 to UTC+11. A later
 * change of the organisation's zone does not change it (decision 528).
 */
export function awardedTime({ data, valid_from }: Awarded): string {
  const { awardedDate } = data;
  if (typeof awardedDate === "string" && isDay(awardedDate)) return `${awardedDate}T12:00:00Z`;
  return (isTime(awardedDate) ? new Date(awardedDate) : valid_from).toISOString();
}

/** The day of the award, such as 2026-07-01. Times are read in the organisation's time zone. */
export function awardedDay({ data, valid_from, time_zone }: Awarded & Pick<BadgeFacts, "time_zone">): string {
  const { awardedDate } = data;
  if (typeof awardedDate === "string" && isDay(awardedDate)) return awardedDate;
  return dayOf(isTime(awardedDate) ? awardedDate : valid_from, time_zone);
}

const isTime = (value: unknown): value is string => typeof value === "string" && isInstant(value);

/** Converts the evidence in the data of a credential to the format of Open Badges 3.0 (`Evidence`). */
export function evidenceDocuments(evidence: unknown): JsonObject[] {
  const pieces = (Array.isArray(evidence) ? evidence : []) as (Record<string, unknown> | null)[];
  return pieces.flatMap((piece) => {
    if (typeof piece !== "object" || piece === null) return [];
    const { url, name, narrative, description, genre, audience } = piece;
    // Evidence from before the present rule for URLs gets an address that can be signed.
    const id = typeof url === "string" ? signableUrl(url) : undefined;
    const told = filled({ name, narrative, description, genre, audience });
    if (id === undefined && Object.keys(told).length === 0) return [];
    return [filled({ id, type: ["Evidence"], ...told })];
  });
}
