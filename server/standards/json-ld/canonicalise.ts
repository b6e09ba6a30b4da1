import { canonize, type Quad } from "rdf-canonize";
import { asFailure } from "../failure";
import type { JsonObject } from "../json";
import { loadContext } from "./load-context";

/** Canonicalising many indistinguishable blank nodes takes exponential time; a graph that takes longer is refused. */
const timeoutMs = 2_000;

/**
 * Turns a JSON-LD document into an RDF dataset. Refuses a term that no context defines, since no signature would cover
 * it.
 * @throws Invalid; Unverifiable for a context that is not bundled
 */
export async function toDataset(document: JsonObject): Promise<Quad[]> {
  // Loaded by the first document: most processes never need it, and it takes 6 MB.
  const { default: jsonld } = await import("jsonld");
  try {
    return await jsonld.toRDF(document, {
      documentLoader: loadContext,
      base: null,
      safe: true,
      rdfDirection: "i18n-datatype",
      produceGeneralizedRdf: false,
    });
  } catch (error) {
    throw asFailure(causeOf(error), `The document is not valid JSON-LD: ${reasonOf(error)}`);
  }
}

/** Canonical N-Quads of a dataset (RDFC-1.0). @throws Invalid if the graph takes too long */
export async function canonicalQuads(dataset: readonly Quad[], hash: "sha256" | "sha384" = "sha256"): Promise<string> {
  try {
    return await canonize(dataset, {
      algorithm: "RDFC-1.0",
      format: "application/n-quads",
      messageDigestAlgorithm: hash,
      maxWorkFactor: 1,
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw asFailure(error, "The document is built so that it cannot be put into a canonical form in reasonable time.");
  }
}

/** The canonical form of a JSON-LD document, which its signature covers. */
export async function canonicalise(document: JsonObject, hash?: "sha256" | "sha384"): Promise<string> {
  return canonicalQuads(await toDataset(document), hash);
}

interface JsonLdError extends Error {
  details?: {
    cause?: unknown;
    code?: string;
    event?: { code?: string; details?: { property?: string; type?: string; value?: unknown; id?: unknown } };
  };
}

/** The original error: jsonld wraps errors of our document loader once or several times. */
function causeOf(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.name.startsWith("jsonld."); depth++) {
    const { details, cause } = inner as JsonLdError & { cause?: unknown };
    const next = details?.cause ?? cause;
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

function reasonOf(error: unknown): string {
  const { details } = error as JsonLdError;
  const event = details?.event?.details;
  const named = event?.property ?? event?.type ?? event?.value ?? event?.id;
  if (named !== undefined) return `${JSON.stringify(named).slice(0, 100)} is not defined by its contexts.`;
  return `${details?.code ?? (error instanceof RangeError ? "it is nested too deeply" : "it cannot be processed")}.`;
}
