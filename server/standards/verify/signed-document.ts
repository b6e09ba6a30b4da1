import type { Quad, Term } from "rdf-canonize";
import { type Json, type JsonObject } from "../json";
import { irisOf, termOf } from "../json-ld/vocabulary";
import { timeOf } from "../vcdm/forms";
import { beginnings, ends, idOf } from "../vcdm/validate-credential";
import { sharedId } from "./check-content";
import { statusProblems } from "./check-status";

/** What is read of a kind of thing in a credential. Everything else that its issuer stated is left out. */
interface Shape {
  /** Texts, numbers, dates and references. A thing has one value of each, or one in each language. */
  values?: readonly string[];
  /** Values of which a thing may have several. */
  lists?: readonly string[];
  /** Other things. */
  parts?: Readonly<Record<string, Shape>>;
}

const status: Shape = {
  values: ["statusPurpose", "statusListIndex", "statusListCredential", "statusSize"],
  lists: ["statusReference"],
  parts: { statusMessage: { values: ["status", "message"] } },
};
const named: Shape = { values: ["name"] };
const achievement: Shape = {
  values: ["name", "description", "fieldOfStudy", "specialization", "humanCode"],
  parts: {
    criteria: { values: ["narrative"] },
    resultDescription: { values: ["name"], parts: { rubricCriterionLevel: named } },
  },
};
const subject: Shape = {
  values: ["name", "creditsEarned", "encodedList", "ttl"],
  lists: ["statusPurpose"],
  parts: {
    identifier: { values: ["hashed", "identityHash", "identityType"] },
    achievement,
    result: { values: ["value", "status", "achievedLevel", "resultDescription"] },
  },
};
const dates = [...beginnings, ...ends];
/** What the checks and the answers read of a credential (VCDM 1.1 and 2.0, Open Badges 3.0). */
const credential: Shape = {
  values: ["name", "description", "awardedDate", ...dates],
  parts: {
    issuer: named,
    credentialSubject: subject,
    credentialStatus: status,
    evidence: { values: ["name", "narrative", "description", "genre", "audience"] },
  },
};

/** The parts of which an answer shows the first and notes the others: their order must not come from the file. */
const firstOf = ["credentialSubject", "achievement"];
/** The parts that a thing has once. */
const onlyOne = ["issuer", "criteria"];

/**
 * Returns the credential that the statements of a signature over RDF make, written as the contexts of VCDM and Open
 * Badges write it. The same statements can be written as JSON in many ways, and whoever holds the file chooses one; so
 * what is read of a credential is read from the statements alone (decision 602).
 *
 * @param issuer the DID whose key made the signature
 * @returns a sentence instead if the statements can be read in several ways
 */
export function signedDocument(statements: readonly Quad[], issuer: string): JsonObject | string {
  return new Reading(statements).credentialOf(issuer);
}

type Properties = Map<string, Term[]>;

class Reading {
  private readonly things = new Map<string, Properties>();
  /** How many statements name a thing as their object. */
  private readonly references = new Map<string, number>();
  private readonly written = new Map<Shape, Map<string, JsonObject>>();
  private problem: string | undefined;

  constructor(statements: readonly Quad[]) {
    for (const { subject, predicate, object, graph } of statements) {
      if (graph.termType !== "DefaultGraph") continue;
      const properties = this.things.get(keyOf(subject)) ?? new Map<string, Term[]>();
      this.things.set(keyOf(subject), properties);
      const values = properties.get(predicate.value);
      if (!values) properties.set(predicate.value, [object]);
      else if (!values.some((each) => isSame(each, object))) values.push(object);
      else continue;
      if (object.termType !== "Literal")
        this.references.set(keyOf(object), (this.references.get(keyOf(object)) ?? 0) + 1);
    }
  }

  credentialOf(issuer: string): JsonObject | string {
    const roots = [...this.things.keys()].filter(
      (id) =>
        this.typesOf(id).includes("VerifiableCredential") &&
        this.valuesOf(id, "issuer").some(({ value }) => value === issuer),
    );
    if (roots.length !== 1)
      return `Its issuer signed ${roots.length} credentials in it, and the signature does not tell which of them the file is. Ask the issuer what it issued.`;
    const document = this.write(roots[0]!, credential);
    const unreadable = dates.find((name) => document[name] !== undefined && timeOf(document[name]) === undefined);
    if (unreadable !== undefined)
      this.problem ??= `Its ${unreadable}, as its issuer signed it, is not a date and time with a time zone.`;
    this.problem ??= statusProblems(document)[0];
    if (idOf(document["issuer"]) !== issuer) this.problem ??= ambiguous(roots[0]!, "issuer");
    return this.problem ?? document;
  }

  private typesOf(id: string): string[] {
    return (this.things.get(id)?.get(rdf.type) ?? [])
      .map(({ value }) => termOf(value))
      .toSorted((a, b) => Number(b === "VerifiableCredential") - Number(a === "VerifiableCredential") || compare(a, b));
  }

  private valuesOf(id: string, term: string): Term[] {
    const properties = this.things.get(id);
    return irisOf(term).flatMap((iri) => properties?.get(iri) ?? []);
  }

  private write(id: string, shape: Shape): JsonObject {
    const known = this.written.get(shape) ?? new Map<string, JsonObject>();
    this.written.set(shape, known);
    const before = known.get(id);
    if (before) return before;
    const thing: JsonObject = {};
    known.set(id, thing);
    if (!id.startsWith("_:")) thing["id"] = id;
    const types = this.typesOf(id);
    if (types.length > 0) thing["type"] = types.length === 1 && shape !== credential ? types[0]! : types;
    for (const name of shape.values ?? []) this.add(thing, name, this.textsOf(id, name, shape));
    for (const name of shape.lists ?? []) this.add(thing, name, this.valuesOf(id, name).map(literal));
    for (const [name, part] of Object.entries(shape.parts ?? {})) {
      const things = this.valuesOf(id, name).flatMap((term) => this.membersOf(term));
      if (things.length > 1 && onlyOne.includes(name)) this.problem ??= ambiguous(id, name);
      const parts = things.map((term) => (term.termType === "Literal" ? literal(term) : this.write(keyOf(term), part)));
      this.add(thing, name, firstOf.includes(name) ? inOrder(parts) : parts);
    }
    return thing;
  }

  /** Texts in the order of their languages, the one without a language first. */
  private textsOf(id: string, name: string, shape: Shape): Json[] {
    const terms = this.valuesOf(id, name).flatMap((term) => this.membersOf(term));
    const languages = terms.map(languageOf);
    const isNoted =
      name === "name" &&
      ((shape === credential && !this.references.has(id)) ||
        (shape === achievement && (this.references.get(id) ?? 0) <= 1));
    if (new Set(languages).size < terms.length && !isNoted) this.problem ??= ambiguous(id, name);
    return inOrder(terms.map(literal), languages);
  }

  /** The members of a list of RDF; any other value is itself the only one. */
  private membersOf(term: Term): Term[] {
    const members: Term[] = [];
    const seen = new Set<string>();
    let at = term;
    while (at.termType !== "Literal" && !seen.has(keyOf(at)) && this.things.get(keyOf(at))?.has(rdf.first)) {
      seen.add(keyOf(at));
      const cell = this.things.get(keyOf(at))!;
      members.push(...cell.get(rdf.first)!);
      at = cell.get(rdf.rest)?.[0] ?? term;
    }
    return seen.size > 0 || term.value === rdf.nil ? members : [term];
  }

  private add(thing: JsonObject, name: string, values: Json[]): void {
    if (values.length > 0) thing[name] = values.length === 1 ? values[0]! : values;
  }
}

const ambiguous = (id: string, name: string): string => sharedId(id.startsWith("_:") ? name : id).detail;

/** The name of a thing in this reading. A name of a blank node is not a URL, so it is not the name of anything else. */
const keyOf = ({ termType, value }: Term): string =>
  termType === "BlankNode" ? `_:${value.replace(/^_:/, "")}` : value;

const isSame = (a: Term, b: Term): boolean =>
  a.termType === b.termType &&
  a.value === b.value &&
  a.language === b.language &&
  a.datatype?.value === b.datatype?.value;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function inOrder(values: Json[], keys: string[] = values.map(() => "")): Json[] {
  return values
    .map((value, at) => ({ value, key: `${keys[at]} ${JSON.stringify(value)}` }))
    .toSorted((a, b) => compare(a.key, b.key))
    .map(({ value }) => value);
}

const rdf = Object.fromEntries(
  ["type", "first", "rest", "nil"].map((name) => [name, `http://www.w3.org/1999/02/22-rdf-syntax-ns#${name}`]),
) as Record<"type" | "first" | "rest" | "nil", string>;
const xsd = "http://www.w3.org/2001/XMLSchema#";
const i18n = "https://www.w3.org/ns/i18n#";
const numbers = ["integer", "decimal", "float", "double", "nonNegativeInteger", "positiveInteger"].map(
  (name) => xsd + name,
);

/** The language of a text with its direction, as `de` or `ar_rtl`; empty for none. */
function languageOf({ language, datatype }: Term): string {
  return datatype?.value.startsWith(i18n) ? datatype.value.slice(i18n.length) : (language ?? "");
}

/** The JSON of a value. A reference is written as its id. */
function literal(term: Term): Json {
  const { termType, value, datatype } = term;
  if (termType === "BlankNode") return {};
  if (termType === "NamedNode") return termOf(value);
  const [language, direction] = languageOf(term).split("_");
  if (language || direction)
    return {
      "@value": value,
      ...(language && { "@language": language }),
      ...(direction && { "@direction": direction }),
    };
  // Open Badges writes the types of XML Schema with https.
  const type = (datatype?.value ?? "").replace(/^https:/, "http:");
  if (type === `${xsd}boolean`)
    return ["true", "1"].includes(value) ? true : ["false", "0"].includes(value) ? false : value;
  if (numbers.includes(type) && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  return value;
}
