import { formatDay, type Region } from "@/server/core/dates";
import type { Check } from "./checks";
import type { Listing } from "./registries";

/** The checks that identify the issuer. The registries' statements follow the last of them. */
const ofIssuer = new Set(["issuer", "issuer_identity"]);

/**
 * Adds the registries' statements about the issuer to the checks, in words. They do not affect the decision: an issuer
 * can be genuine without being listed, and a registry that does not answer says nothing about the credential (decision
 * 480). Without registries the checks stay unchanged.
 *
 * @param statedName the issuer's name for itself
 */
export function withRegistries(checks: Check[], listings: Listing[], statedName: string, region: Region): Check[] {
  if (listings.length === 0) return checks;
  const check: Check = {
    name: "issuer_registry",
    outcome: listings.some(({ status }) => status === "listed") ? "pass" : "skipped",
    detail: listings.map((listing) => sentenceOf(listing, statedName, region)).join(" "),
  };
  const at = checks.findLastIndex(({ name }) => ofIssuer.has(name)) + 1;
  return checks.toSpliced(at, 0, check);
}

function sentenceOf({ name, status, issuerName, readAt }: Listing, statedName: string, region: Region): string {
  const asOf = readAt ? `, as of ${formatDay(readAt, region)}` : "";
  switch (status) {
    case "listed":
      return isSameName(issuerName!, statedName)
        ? `The registry “${name}” lists this issuer as ${issuerName}${asOf}.`
        : `The registry “${name}” lists this issuer as ${issuerName}${asOf}. The issuer calls itself ${statedName}.`;
    case "not_listed":
      return `The registry “${name}” does not list this issuer${asOf}.`;
    case "unavailable":
      return `The registry “${name}” could not be read, so whether it lists this issuer is not known.`;
  }
}

/** Whether two names are equal except for case and spaces. */
export const isSameName = (a: string, b: string): boolean => plain(a) === plain(b);
const plain = (name: string) => name.normalize("NFKC").trim().replaceAll(/\s+/g, " ").toLocaleLowerCase("en");
