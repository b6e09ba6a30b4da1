import { Invalid } from "../failure";
import type { Json, JsonObject } from "../json";

/**
 * The last second of the year 9999, the end of RFC 3339. It also excludes times that were given in milliseconds by
 * mistake.
 */
const lastSecond = 253_402_300_799;

/** A NumericDate of RFC 7519 as seconds; undefined for anything else. */
export function secondsOf(claim: Json | undefined): number | undefined {
  return typeof claim === "number" && Math.abs(claim) <= lastSecond ? claim : undefined;
}

const isText = (claim: Json) => typeof claim === "string";

/**
 * For each claim of RFC 7519, section 4.1, and the nonce: whether a value can be read, and what it must be, in words.
 */
const forms: Record<string, [isRead: (claim: Json) => boolean, form: string]> = {
  ...Object.fromEntries(
    ["nbf", "exp", "iat"].map((name) => [
      name,
      [(claim: Json) => secondsOf(claim) !== undefined, "a number of seconds since 1970, up to the year 9999"],
    ]),
  ),
  ...Object.fromEntries(["iss", "sub", "jti", "nonce"].map((name) => [name, [isText, "a text"]])),
  aud: [(claim) => isText(claim) || (Array.isArray(claim) && claim.every(isText)), "a text or a list of texts"],
};

/**
 * Refuses claims that cannot be read. If such a claim counted as absent, a token could be valid for longer than its
 * signer meant.
 *
 * @throws Invalid
 */
export function refuseUnreadable(claims: JsonObject): void {
  for (const [name, [isRead, form]] of Object.entries(forms)) {
    const claim = claims[name];
    if (claim !== undefined && !isRead(claim))
      throw new Invalid(
        `The claim ${name} of the token is ${JSON.stringify(claim).slice(0, 60)}, and must be ${form}.`,
      );
  }
}
