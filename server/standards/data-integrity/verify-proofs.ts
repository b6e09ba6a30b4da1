import type { Quad } from "rdf-canonize";
import { decodeMultibase } from "../encoding/multibase";
import { keyKindOf } from "../encoding/multikey";
import { keyFor, type ProofPurpose } from "../did/did-document";
import { controllerOf, resolveKeys } from "../did/resolve";
import { Invalid, Unverifiable } from "../failure";
import { isObject, listOf, textOf, type Json, type JsonObject } from "../json";
import type { Surroundings } from "../surroundings";
import { isDateTimeStamp, timeOf } from "../vcdm/forms";
import { suiteNames, suiteOf } from "./suites";

export interface Expected {
  purpose: ProofPurpose;
  /** The DID that must have signed: the issuer of a credential, the holder of a presentation. */
  controller?: string;
  challenge?: string;
  domain?: string;
}

/** The most proofs of a document. Each costs a canonicalisation and perhaps a request. */
const maxProofs = 5;

/**
 * Verifies every proof of a document (VC Data Integrity 1.0, sections 4.4 and 4.6). A proof of an unknown suite is
 * ignored if another proof verifies, because an issuer may add a proof of the newest suite to one that all can read.
 * Others than the controller may sign too, such as a ministry that countersigns a degree (sections 2.1.1 and 2.1.2).
 *
 * @returns the statements that the controller signed, if its proof signs RDF, whatever the JSON that they were written as
 * @throws Invalid if any proof is wrong, or none is by the controller; Unverifiable if none could be checked
 */
export async function verifyProofs(
  document: JsonObject,
  expected: Expected,
  surroundings: Surroundings,
): Promise<readonly Quad[] | undefined> {
  const { proof, ...unsigned } = document;
  const proofs = listOf(proof);
  if (proofs.length === 0) throw new Invalid("The document has no proof.");
  if (proofs.length > maxProofs) throw new Invalid(`The document has more than ${maxProofs} proofs.`);
  const { controller, ...ofOthers } = expected;
  const isOwn = (each: Json) => controller === undefined || signerOf(each) === controller;
  let isSigned = false;
  let statements: readonly Quad[] | undefined;
  let unknown: Unverifiable | undefined;
  // Those of others come last, so that a file which the controller did not sign does not decide which hosts are asked.
  for (const each of proofs.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    try {
      const found = await verifyProof(unsigned, each, proofs, isSigned ? ofOthers : expected, surroundings);
      if (isOwn(each)) statements ??= found;
      isSigned = true;
    } catch (error) {
      if (!(error instanceof Unverifiable)) throw error;
      unknown ??= error;
    }
  }
  if (!isSigned) throw unknown!;
  return statements;
}

/** The controller of the key that a proof names. */
const signerOf = (proof: Json): string | undefined =>
  isObject(proof) ? controllerOf(textOf(proof["verificationMethod"]) ?? "") : undefined;

async function verifyProof(
  document: JsonObject,
  proof: Json,
  all: Json[],
  expected: Expected,
  surroundings: Surroundings,
): Promise<readonly Quad[] | undefined> {
  if (!isObject(proof)) throw new Invalid("A proof is not an object.");
  const { proofValue, ...options } = proof;
  const method = textOf(options["verificationMethod"]);
  if (typeof options["type"] !== "string") throw new Invalid("A proof has no type.");
  if (options["type"] !== "DataIntegrityProof")
    throw new Unverifiable(`The signature is of the kind ${options["type"].slice(0, 60)}, which is not known here.`);
  if (typeof options["cryptosuite"] !== "string") throw new Invalid("A proof names no cryptosuite.");
  const suite = suiteOf(options["cryptosuite"]);
  if (!suite)
    throw new Unverifiable(
      `The signature is of the kind ${options["cryptosuite"].slice(0, 60)}, which is not known here (${suiteNames.join(", ")} are).`,
    );
  if (method === undefined || !URL.canParse(method)) throw new Invalid("A proof does not name its key by a URL.");
  checkOptions(options, expected, surroundings.now);
  if (typeof proofValue !== "string" || !proofValue.startsWith("z"))
    throw new Invalid("The value of a proof is not multibase in base58btc.");
  const signature = decodeMultibase(proofValue);
  const controller = controllerOf(method);
  if (expected.controller !== undefined && controller !== expected.controller)
    throw new Invalid(`The proof was made by ${controller}, and not by the issuer.`);
  const key = keyFor(await resolveKeys(controller, surroundings), method, expected.purpose, surroundings);
  const kind = keyKindOf(key);
  if (!kind) throw new Unverifiable("The issuer's key is of a kind that is not known here.");
  if (!suite.keyKinds.includes(kind))
    throw new Invalid(`A signature of the kind ${suite.name} cannot be made with a key of this kind.`);
  let statements: readonly Quad[] | undefined;
  const onStatements = (found: readonly Quad[]) => (statements = found);
  const data = await suite.hash({ document: withPrevious(document, options, all), options, onStatements }, key);
  if (!suite.verify(data, signature, key))
    throw new Invalid(
      "The signature does not fit the content: it was changed after it was signed, or signed by somebody else.",
    );
  return statements;
}

function checkOptions(options: JsonObject, expected: Expected, now: Date): void {
  const { created, expires, proofPurpose, challenge, domain, nonce } = options;
  for (const [name, value] of Object.entries({ challenge, nonce }))
    if (value !== undefined && typeof value !== "string") throw new Invalid(`The proof's ${name} is not a text.`);
  if (domain !== undefined && !(listOf(domain).length > 0 && listOf(domain).every((each) => typeof each === "string")))
    throw new Invalid("The proof's domain is neither a text nor a list of texts.");
  if (proofPurpose === undefined)
    throw new Invalid(
      `The proof does not say what it was made for: it has no proofPurpose, which must be ${expected.purpose}.`,
    );
  if (proofPurpose !== expected.purpose)
    throw new Invalid(`The proof was made for ${JSON.stringify(proofPurpose)}, not for ${expected.purpose}.`);
  for (const [name, time] of Object.entries({ created, expires })) {
    if (time !== undefined && !isDateTimeStamp(time))
      throw new Invalid(`The proof's ${name} is not a date and time with a time zone.`);
  }
  if (expires !== undefined && !(timeOf(expires)! > now.getTime())) throw new Invalid("The proof has expired.");
  if (expected.challenge !== undefined && challenge !== expected.challenge)
    throw new Invalid("The proof answers another challenge.");
  if (expected.domain !== undefined && !listOf(domain).includes(expected.domain))
    throw new Invalid("The proof was made for another domain.");
}

/** The document that a proof covers: a proof of a chain also covers the proofs that it names (section 4.4). */
function withPrevious(document: JsonObject, { previousProof }: JsonObject, all: Json[]): JsonObject {
  const named = listOf(previousProof);
  if (named.length === 0) return document;
  const found = named.map((id) => all.find((proof) => isObject(proof) && typeof id === "string" && proof["id"] === id));
  if (found.some((proof) => proof === undefined))
    throw new Invalid("The proof names an earlier proof that is not there.");
  return { ...document, proof: found as Json[] };
}
