import { isDay, isInstant, startOfDay } from "@/server/core/dates";
import type { JsonObject } from "@/server/standards/json";
import { signableUrl } from "@/server/standards/vcdm/forms";
import { filled } from "./achievement-document";
import type { BadgeFacts } from "./facts";

/**
 * When the award was made (Open Badges 3.0, `awardedDate`): `awardedDate` in the credential's data, a date in the
 * organisation's time zone or a time; without it, the beginning of the credential. It stays when the credential is
 * issued anew.
 */
export function awardedAt({
  data,
  valid_from,
  time_zone,
}: Pick<BadgeFacts, "data" | "valid_from" | "time_zone">): Date {
  const { awardedDate } = data;
  if (typeof awardedDate !== "string") return valid_from;
  if (isDay(awardedDate)) return startOfDay(awardedDate, time_zone);
  return isInstant(awardedDate) ? new Date(awardedDate) : valid_from;
}

/** The evidence in the data of a credential as Open Badges 3.0 writes it (`Evidence`). */
export function evidenceDocuments(evidence: unknown): JsonObject[] {
  const pieces = (Array.isArray(evidence) ? evidence : []) as (Record<string, unknown> | null)[];
  return pieces.flatMap((piece) => {
    if (typeof piece !== "object" || piece === null) return [];
    const { url, name, narrative, description, genre, audience } = piece;
    // Evidence of before the present rule for URLs is stated with an address that can be signed.
    const id = typeof url === "string" ? signableUrl(url) : undefined;
    const told = filled({ name, narrative, description, genre, audience });
    if (id === undefined && Object.keys(told).length === 0) return [];
    return [filled({ id, type: ["Evidence"], ...told })];
  });
}
