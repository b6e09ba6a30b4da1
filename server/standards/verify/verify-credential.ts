import type { Quad } from "rdf-canonize";
import { resolveKeys } from "../did/resolve";
import { Invalid, KeyEnded } from "../failure";
import { listOf, type JsonObject } from "../json";
import { compacted } from "../json-ld/compacted";
import type { Surroundings } from "../surroundings";
import { idOf } from "../vcdm/validate-credential";
import { failed, type StandardCheck } from "./check";
import { checkIssuerIdentity } from "./check-issuer-identity";
import { checkStatuses, statusProblems } from "./check-status";
import { checkValidity, validityOf, type Validity } from "./check-validity";
import { checkVocabulary, vocabularyPassed } from "./check-vocabulary";
import { readCredential, type ReadCredential } from "./read-credential";
import { signedDocument } from "./signed-document";
import { unsignedWords } from "./unsigned";
import { verifySignature, type ExpectedOfCredential } from "./verify-signature";

export interface CredentialVerification {
  checks: StandardCheck[];
  /** The content of the credential, from what was signed; undefined if it cannot be read. */
  document?: JsonObject;
  validity: Validity;
}

/** The verification of a credential before its statuses are checked. */
export interface Examined extends CredentialVerification {
  /** Statuses are checked only if true: an unsigned document must not decide which hosts this service calls. */
  isSigned: boolean;
}

/**
 * Verifies a credential of any issuer: W3C VCDM 2.0 or 1.1, Open Badges 3.0, as JSON with a Data Integrity proof or as
 * a JWT. Requests go to the issuer's DID document and, once the signature holds, to its status lists, through the
 * guarded client.
 */
export async function verifyCredential(
  sent: string | JsonObject,
  surroundings: Surroundings,
  expected: ExpectedOfCredential = {},
): Promise<CredentialVerification> {
  const examined = await examineCredential(sent, surroundings, expected);
  if (!examined.isSigned) return examined;
  const statuses = await checkStatuses(examined.document!, surroundings);
  return { ...examined, checks: [...examined.checks, ...statuses] };
}

/** Verifies everything but the statuses of a credential, which checkStatuses() checks. */
export async function examineCredential(
  sent: string | JsonObject,
  surroundings: Surroundings,
  expected: ExpectedOfCredential = {},
): Promise<Examined> {
  let read: ReadCredential;
  try {
    read = readCredential(sent);
    const problems = statusProblems(read.document);
    if (problems.length > 0) throw new Invalid(problems.join(" "));
  } catch (error) {
    return { checks: [failed("format", error, "malformed")], validity: validityOf({}), isSigned: false };
  }
  const { document, token } = read;
  const format: StandardCheck = {
    name: "format",
    outcome: "pass",
    detail: token ? "A W3C verifiable credential as a signed token." : "A W3C verifiable credential.",
  };
  if (!token && isUnsigned(document) && expected.presentedBy === undefined)
    return {
      checks: [format, ...unsignedChecks],
      document: compacted(document),
      validity: validityOf(document),
      isSigned: false,
    };
  const issuer = await checkIssuer(document, surroundings);
  const { signature, statements } =
    issuer.outcome === "pass"
      ? await checkSignature(read, surroundings, expected)
      : { signature: notChecked("signature", "the issuer's key could not be found") };
  const isSigned = signature.outcome === "pass";
  // Expanding is most of the cost of a verification, so it is done only for signed documents, and never twice.
  const vocabulary = !isSigned
    ? notChecked("vocabulary", "who issued it is not certain")
    : statements
      ? vocabularyPassed
      : await checkVocabulary(document);
  const issuerIdentity = isSigned
    ? checkIssuerIdentity(idOf(document["issuer"])!)
    : notChecked("issuer_identity", "no key of the issuer is known to have signed it");
  // A JWT and eddsa-jcs-2022 sign the text, and so how it is written. A signature over RDF leaves that open.
  const { stated, content } = statements
    ? readStatements(document, statements)
    : { stated: compacted(document), content: [] };
  const validity = validityOf(stated, token?.read.claims);
  const inTime = checkValidity(validity, surroundings);
  const checks = [format, issuer, signature, issuerIdentity, vocabulary, inTime, ...content];
  if (!isSigned) checks.push(notChecked("status", "who issued it is not certain"));
  return { checks, document: stated, validity, isSigned };
}

function readStatements(
  document: JsonObject,
  statements: readonly Quad[],
): { stated: JsonObject; content: StandardCheck[] } {
  const signed = signedDocument(statements, idOf(document["issuer"])!);
  if (typeof signed === "string")
    return { stated: compacted(document), content: [{ name: "content", outcome: "error", detail: signed }] };
  return { stated: { "@context": document["@context"], ...signed, proof: document["proof"] }, content: [] };
}

const isUnsigned = ({ proof }: JsonObject): boolean => listOf(proof).length === 0;

/** Of a document without a signature nothing else is looked at: anybody can have written all of it. */
const unsignedChecks: StandardCheck[] = [
  { name: "signature", outcome: "fail", reason: "signature_invalid", detail: unsignedWords },
  ...(
    [
      ["issuer", "Its issuer was"],
      ["issuer_identity", "The name of its issuer was"],
      ["vocabulary", "Its terms were"],
      ["validity_period", "Its dates were"],
      ["status", "Whether it was revoked was"],
    ] as const
  ).map(([name, what]) => ({
    name,
    outcome: "skipped" as const,
    detail: `${what} not looked at, since nobody signed it.`,
  })),
];

/** Whether every check passed or was skipped. */
export const isValid = ({ checks }: CredentialVerification): boolean =>
  checks.every(({ outcome }) => outcome === "pass" || outcome === "skipped");

async function checkIssuer(document: JsonObject, surroundings: Surroundings): Promise<StandardCheck> {
  const issuer = idOf(document["issuer"])!;
  try {
    await resolveKeys(issuer, surroundings);
    return { name: "issuer", outcome: "pass", detail: `The issuer is ${issuer}. Its keys were found there.` };
  } catch (error) {
    return failed("issuer", error, "issuer_unknown");
  }
}

async function checkSignature(
  read: ReadCredential,
  surroundings: Surroundings,
  expected: ExpectedOfCredential,
): Promise<{ signature: StandardCheck; statements?: readonly Quad[] | undefined }> {
  try {
    const statements = await verifySignature(read, surroundings, expected);
    return {
      signature: { name: "signature", outcome: "pass", detail: "Signed by its issuer, and unchanged since." },
      statements,
    };
  } catch (error) {
    // A genuine file of a stolen key is no forgery, so the two are told apart.
    const check = failed(error instanceof KeyEnded ? "key" : "signature", error);
    return {
      signature: check.outcome === "fail" ? { ...check, reason: "signature_invalid" } : check,
    };
  }
}

function notChecked(name: StandardCheck["name"], because: string): StandardCheck {
  return { name, outcome: "skipped", detail: `Not looked at, since ${because}.` };
}
