import { isDeepStrictEqual } from "node:util";
import type { Check } from "./checks";
import type { CredentialEvidence } from "./evidence";
import type { OwnIssuer } from "./own-credential";
import { reasons } from "./reasons";

/**
 * Joins the checks of a document with those of the credential in the database. If both made a check, the worse outcome
 * counts. The document therefore never makes a credential more valid, nor the database a document (decision 440).
 */
export function joinedChecks(ofDocument: Check[], ofRecord: Check[], evidence: CredentialEvidence): Check[] {
  const record = new Map(ofRecord.map((check) => [check.name, check]));
  const document = new Set(ofDocument.map(({ name }) => name));
  const isCode = ({ name }: Check) => name === "code_exists";
  const joined = [
    ...ofRecord.filter(isCode),
    ...ofDocument.flatMap((check) => {
      if (check.name === "issuer_identity")
        return ownIdentity({ name: evidence.issuer_name, is_name_confirmed: evidence.is_issuer_name_confirmed });
      const other = record.get(check.name);
      return other ? worse(other, check) : check;
    }),
    ...ofRecord.filter((check) => !isCode(check) && !document.has(check.name)),
  ];
  // A document has a status list each for revocation and suspension; the record answers for both at once.
  return joined.filter((check, at) => !joined.slice(0, at).some((other) => isDeepStrictEqual(other, check)));
}

/** The worse of two results of one check; of two equal ones the first. */
function worse(first: Check, second: Check): Check {
  const [a, b] = [rank(first), rank(second)];
  return a[0] < b[0] || (a[0] === b[0] && a[1] <= b[1]) ? first : second;
}

/**
 * A failure comes before an error, and an error before the rest; among failures, the one with the most final reason
 * comes first.
 */
function rank({ outcome, reason }: Check): [number, number] {
  const at = ["fail", "error"].indexOf(outcome);
  return [at < 0 ? 2 : at, reason === undefined ? reasons.length : reasons.indexOf(reason)];
}

/** The confirmed identity of an organisation of this service. It replaces what its key alone proves. */
export function ownIdentity({ name, is_name_confirmed }: Omit<OwnIssuer, "slug">): Check {
  return is_name_confirmed
    ? {
        name: "issuer_identity",
        outcome: "pass",
        detail: `The operator of this service has confirmed that the organisation is ${name}.`,
      }
    : {
        name: "issuer_identity",
        outcome: "skipped",
        detail: `The organisation gives itself the name ${name}. The operator of this service has not confirmed it.`,
      };
}

/** Says that an organisation of this service signed something that is not the document of one of its credentials. */
export const notOnRecord: Check = {
  name: "code_exists",
  outcome: "skipped",
  detail:
    "An organisation of this service signed it, but its id is not that of a credential of this organisation. Only its signature, its dates and its status list are known.",
};
