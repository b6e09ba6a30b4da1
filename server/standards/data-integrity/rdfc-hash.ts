import { hash } from "node:crypto";
import { canonicalise, canonicalQuads, toDataset } from "../json-ld/canonicalise";
import type { Unsigned } from "./proof";

/**
 * Computes what the RDFC suites sign: the hash of the canonical proof options, followed by the hash of the canonical
 * document (Data Integrity EdDSA 1.0, section 3.2; ECDSA 1.0, section 3.2).
 */
export async function rdfcHash(
  { document, options, onStatements }: Unsigned,
  algorithm: "sha256" | "sha384" = "sha256",
): Promise<Buffer> {
  const withContext = { ...options, "@context": document["@context"] };
  const canonicalOptions = await canonicalise(withContext, algorithm);
  const statements = await toDataset(document);
  onStatements?.(statements);
  return joined(canonicalOptions, await canonicalQuads(statements, algorithm), algorithm);
}

/** Computes the bytes to sign from the canonical options and the canonical document. */
export function joined(options: string, document: string, algorithm: "sha256" | "sha384" = "sha256"): Buffer {
  return Buffer.concat([hash(algorithm, options, "buffer"), hash(algorithm, document, "buffer")]);
}
