import { formatExact } from "@/server/core/dates";
import type { JsonObject } from "../json";
import { secondsOf } from "../jose/claims";
import { timeOf } from "../vcdm/forms";
import { beginnings, ends } from "../vcdm/validate-credential";
import type { Surroundings } from "../surroundings";
import type { StandardCheck } from "./check";

const name = "validity_period";

export interface Validity {
  from: Date | null;
  /** As the credential writes it. */
  until: Date | null;
  /** Whether `until` itself is still valid: VCDM includes it, `exp` of a JWT excludes it (RFC 7519, section 4.1.4). */
  includesUntil: boolean;
}

/**
 * The validity period of a credential: that of the document, narrowed by the claims of the JWT. Unreadable times were
 * refused as malformed before.
 */
export function validityOf(document: JsonObject, claims: JsonObject = {}): Validity {
  const [nbf, exp] = [claims["nbf"], claims["exp"]].map(secondsOf).map((seconds) => seconds && seconds * 1000);
  const times = (names: readonly string[], claim: number | undefined) =>
    [...names.map((name) => timeOf(document[name])), claim].filter((time) => time !== undefined);
  const [froms, untils] = [times(beginnings, nbf), times(ends, exp)];
  const until = untils.length > 0 ? Math.min(...untils) : null;
  return {
    from: froms.length > 0 ? new Date(Math.max(...froms)) : null,
    until: until === null ? null : new Date(until),
    includesUntil: until !== exp,
  };
}

/** Whether the validity period is over. */
export function isOver({ until, includesUntil }: Validity, now: Date): boolean {
  return until !== null && (includesUntil ? until < now : until <= now);
}

/** Checks the validity period: from `validFrom` up to and including `validUntil` (VCDM 2.0, section 4.9). */
export function checkValidity(
  validity: Validity,
  { now, locale = "en-GB" }: Pick<Surroundings, "now" | "locale">,
): StandardCheck {
  const { from, until } = validity;
  // UTC, because the document does not state the issuer's time zone.
  const region = { timeZone: "UTC", locale };
  if (until && isOver(validity, now))
    return { name, outcome: "fail", detail: `Was valid until ${formatExact(until, region)}.`, reason: "expired" };
  if (from && from > now)
    return { name, outcome: "fail", detail: `Valid from ${formatExact(from, region)} on.`, reason: "not_yet_valid" };
  return {
    name,
    outcome: "pass",
    detail: until ? `Valid until ${formatExact(until, region)}.` : "Valid without an end.",
  };
}
