import type { ProofPurpose } from "@/server/standards/did/did-document";
import { Invalid, Unverifiable } from "@/server/standards/failure";
import { isObject, type JsonObject } from "@/server/standards/json";
import type { Surroundings } from "@/server/standards/surroundings";
import { isValid, verifyCredential, type CredentialVerification } from "@/server/standards/verify/verify-credential";
import { verifyPresentation } from "@/server/standards/verify/verify-presentation";

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
  const { options = {} } = body;
  if (!isObject(options)) return refused("The options must be an object.");
  return verdict([await verifyCredential(credential, surroundings, expectedBy(options))]);
}

/** What the options of a request ask of a proof. */
function expectedBy({ challenge, domain, expectedProofPurpose }: JsonObject) {
  return {
    ...(typeof challenge === "string" && { challenge }),
    ...(typeof domain === "string" && { domain }),
    ...(typeof expectedProofPurpose === "string" && { purpose: expectedProofPurpose as ProofPurpose }),
  };
}

export async function verifyPresentationForSuite(body: JsonObject, surroundings: Surroundings): Promise<Verdict> {
  const { verifiablePresentation: presentation, options = {} } = body;
  if (!isObject(presentation) || !isObject(options))
    return refused("The body must have a verifiablePresentation, and options as an object.");
  try {
    return verdict(await verifyPresentation(presentation, expectedBy(options), surroundings));
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
