import type { ProofPurpose } from "@/server/standards/did/did-document";
import { Invalid, Unverifiable } from "@/server/standards/failure";
import { isObject, type JsonObject } from "@/server/standards/json";
import type { Surroundings } from "@/server/standards/surroundings";
import { isValid, verifyCredential, type CredentialVerification } from "@/server/standards/verify/verify-credential";
import { verifyPresentation } from "@/server/standards/verify/verify-presentation";
import type { ExpectedOfSignature } from "@/server/standards/verify/verify-signature";

export interface Verdict {
  verified: boolean;
  checks: string[];
  warnings: string[];
  errors: string[];
}

/**
 * Verifies a credential for a suite. What cannot be decided counts as not verified, because a suite has no third
 * result.
 */
export async function verifyForSuite(body: JsonObject, surroundings: Surroundings): Promise<Verdict> {
  const credential = body["verifiableCredential"];
  if (!isObject(credential) && typeof credential !== "string")
    return refused("The body must have a verifiableCredential.");
  return orRefused(async () => verdict([await verifyCredential(credential, surroundings, expectedBy(body))]));
}

const purposes: ProofPurpose[] = ["assertionMethod", "authentication"];

/**
 * Reads what the options of a request ask of a proof.
 * @throws Invalid for an option of a wrong type: ignoring it would verify without what the caller asked for
 */
function expectedBy({ options = {} }: JsonObject): ExpectedOfSignature {
  if (!isObject(options)) throw new Invalid("The options must be an object.");
  const { challenge, domain, expectedProofPurpose } = options;
  for (const [name, value] of Object.entries({ challenge, domain, expectedProofPurpose }))
    if (value !== undefined && (typeof value !== "string" || value === ""))
      throw new Invalid(`The option ${name} must be a text.`);
  if (expectedProofPurpose !== undefined && !purposes.includes(expectedProofPurpose as ProofPurpose))
    throw new Invalid(`The option expectedProofPurpose must be ${purposes.join(" or ")}.`);
  return {
    ...(challenge !== undefined && { challenge: challenge as string }),
    ...(domain !== undefined && { domain: domain as string }),
    ...(expectedProofPurpose !== undefined && { purpose: expectedProofPurpose as ProofPurpose }),
  };
}

export async function verifyPresentationForSuite(body: JsonObject, surroundings: Surroundings): Promise<Verdict> {
  const { verifiablePresentation: presentation } = body;
  if (!isObject(presentation)) return refused("The body must have a verifiablePresentation.");
  return orRefused(async () => verdict(await verifyPresentation(presentation, expectedBy(body), surroundings)));
}

async function orRefused(verify: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Invalid || error instanceof Unverifiable) return refused(error.message);
    throw error;
  }
}

function verdict(verifications: CredentialVerification[]): Verdict {
  const checks = verifications.flatMap((each) => each.checks);
  const errors = checks
    .filter(({ outcome }) => outcome === "fail" || outcome === "error")
    .map(({ name, detail }) => `${name}: ${detail}`);
  return {
    verified: verifications.every(isValid),
    checks: [...new Set(checks.filter(({ outcome }) => outcome === "pass").map(({ name }) => name))],
    warnings: [],
    errors,
  };
}

const refused = (error: string): Verdict => ({ verified: false, checks: [], warnings: [], errors: [error] });
