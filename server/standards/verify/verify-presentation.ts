import { verifyProofs } from "../data-integrity/verify-proofs";
import { Invalid } from "../failure";
import { toDataset } from "../json-ld/canonicalise";
import { boundsProblem, isObject, listOf, type JsonObject } from "../json";
import { readJwt, verifyJwt } from "../jose/verify-jwt";
import type { Surroundings } from "../surroundings";
import { idOf } from "../vcdm/validate-credential";
import { envelopedJwt, isEnveloped, presentationProblems } from "../vcdm/validate-presentation";
import { checkValidity, validityOf } from "./check-validity";
import { refuseDisguises } from "./read-credential";
import { verifyCredential, type CredentialVerification } from "./verify-credential";
import { refuseOtherAudience, type ExpectedOfSignature } from "./verify-signature";

/** The most credentials of a presentation. Each is verified completely. */
const maxCredentials = 20;

/**
 * Verifies a presentation (VCDM 2.0, section 4.13): its holder must have signed it for this challenge and domain. Then
 * verifies each credential in it.
 * @throws Invalid or Unverifiable for the presentation itself; results of its credentials are returned
 */
export async function verifyPresentation(
  sent: JsonObject,
  expected: ExpectedOfSignature,
  surroundings: Surroundings,
): Promise<CredentialVerification[]> {
  const bounds = boundsProblem(sent);
  if (bounds) throw new Invalid(bounds);
  const presentation = await (isEnveloped(sent, "vp")
    ? openEnvelope(sent, expected, surroundings)
    : openSigned(sent, expected, surroundings));
  const credentials = listOf(presentation["verifiableCredential"]);
  if (credentials.length > maxCredentials)
    throw new Invalid(`The presentation holds more than ${maxCredentials} credentials.`);
  const holder = idOf(presentation["holder"]);
  return Promise.all(
    credentials.map((credential) =>
      verifyCredential(credential as JsonObject, surroundings, holder === undefined ? {} : { presentedBy: holder }),
    ),
  );
}

async function openSigned(
  presentation: JsonObject,
  expected: ExpectedOfSignature,
  surroundings: Surroundings,
): Promise<JsonObject> {
  refuseProblems(presentation);
  refuseDisguises(presentation);
  const holder = idOf(presentation["holder"]);
  const statements = await verifyProofs(
    presentation,
    { purpose: "authentication", ...expected, ...(holder !== undefined && { controller: holder }) },
    surroundings,
  );
  // A suite that signs RDF has expanded it already.
  if (!statements) await refuseUndefinedTerms(presentation);
  return presentation;
}

async function openEnvelope(
  envelope: JsonObject,
  { purpose = "authentication", ...expected }: ExpectedOfSignature,
  surroundings: Surroundings,
): Promise<JsonObject> {
  const jwt = envelopedJwt(envelope, "vp");
  if (jwt === undefined) throw new Invalid("The presentation is in an envelope of a kind that is not read here.");
  const read = readJwt(jwt, "vp");
  refuseProblems(read.document);
  const problem = checkValidity(validityOf({}, read.claims), surroundings);
  if (problem.outcome === "fail") throw new Invalid(`The presentation does not hold at this time. ${problem.detail}`);
  refuseOtherAudience(read.claims, expected);
  await verifyJwt(jwt, read, "vp", purpose, surroundings);
  await refuseUndefinedTerms(read.document);
  return read.document;
}

/**
 * Refuses a presentation with a term that no context defines, however it is secured: the term has no meaning, so the
 * holder has said nothing by it.
 * @throws Invalid; Unverifiable for a context that is not bundled
 */
async function refuseUndefinedTerms({ proof: _, ...presentation }: JsonObject): Promise<void> {
  await toDataset(presentation);
}

function refuseProblems(presentation: JsonObject): void {
  if (!isObject(presentation)) throw new Invalid("The presentation is not an object.");
  const problems = presentationProblems(presentation);
  if (problems.length > 0) throw new Invalid(problems.join(" "));
}
