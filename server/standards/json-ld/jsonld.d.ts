declare module "jsonld" {
  import type { Quad } from "rdf-canonize";
  interface Options {
    documentLoader(url: string): Promise<object>;
    base: null;
    safe: boolean;
    rdfDirection: "i18n-datatype";
  }
  const jsonld: {
    expand(document: object, options: Omit<Options, "rdfDirection">): Promise<Record<string, unknown>[]>;
    toRDF(document: object, options: Options & { produceGeneralizedRdf: false }): Promise<Quad[]>;
  };
  export default jsonld;
}

declare module "rdf-canonize" {
  export interface Term {
    termType: "NamedNode" | "BlankNode" | "Literal" | "DefaultGraph";
    value: string;
    datatype?: { termType: "NamedNode"; value: string };
    language?: string;
  }
  export interface Quad {
    subject: Term;
    predicate: Term;
    object: Term;
    graph: Term;
  }
  interface Options {
    algorithm: "RDFC-1.0";
    format: "application/n-quads";
    maxWorkFactor?: number;
    messageDigestAlgorithm?: "sha256" | "sha384";
    signal?: AbortSignal;
  }
  export const NQuads: { serializeQuad(quad: Quad): string };
  export function canonize(dataset: readonly Quad[], options: Options): Promise<string>;
}
