import type { ProofPurpose } from "../did/did-document";
import type { Quad } from "rdf-canonize";
import type { JsonObject } from "../json";

/** A Data Integrity proof (VC Data Integrity 1.0, section 2.1): the properties that are read here. */
export interface Proof extends JsonObject {
  type: "DataIntegrityProof";
  cryptosuite: string;
  verificationMethod: string;
  proofPurpose: ProofPurpose;
  proofValue: string;
}

/** The input of a suite's hash: a document without its proofs, and the options of one proof. */
export interface Unsigned {
  document: JsonObject;
  /** The proof without `proofValue`. */
  options: JsonObject;
  /** Called by suites that sign RDF, with the statements of the document. */
  onStatements?(statements: readonly Quad[]): void;
}
