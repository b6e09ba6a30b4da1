import { isObject, listOf, type Json, type JsonObject } from "@/server/standards/json";
import { canonicalise } from "@/server/standards/json-ld/canonicalise";
import { badge } from "@/server/standards/testing/issuer";
import { type Verified } from "./foreign-issuer";

/** A document with a member of each kind that an answer shows. */
export function facts(did: string): JsonObject {
  const plain = badge(did)["credentialSubject"] as JsonObject & { achievement: JsonObject };
  const id = "urn:uuid:0d6e1e2c-1f59-4f1e-9a57-5f3a61a2c5a2";
  return {
    description: "A badge of the university.",
    awardedDate: "2025-12-01T12:00:00Z",
    evidence: [{ id: "https://example.edu/thesis", type: ["Evidence"], name: "Thesis", narrative: "Of badges." }],
    credentialSubject: {
      ...plain,
      id: "did:example:ada",
      creditsEarned: 12.5,
      result: [
        { type: ["Result"], resultDescription: id, value: "51", status: "Failed" },
        { type: ["Result"], resultDescription: id, achievedLevel: `${id}#1` },
      ],
      achievement: {
        ...plain.achievement,
        humanCode: "X1",
        fieldOfStudy: "Law",
        criteria: { id: "https://example.edu/rules" },
        resultDescription: [
          {
            id,
            type: ["ResultDescription"],
            name: "Examination",
            resultType: "Percent",
            rubricCriterionLevel: [{ id: `${id}#1`, type: ["RubricCriterionLevel"], name: "Fair" }],
          },
        ],
      },
    },
  };
}

/** The types of values in the context of Open Badges. Other values are texts. */
export const types: Record<string, string> = {
  awardedDate: "xsd:dateTime",
  creditsEarned: "https://www.w3.org/2001/XMLSchema#float",
  hashed: "https://www.w3.org/2001/XMLSchema#boolean",
  resultDescription: "https://www.w3.org/2001/XMLSchema#anyURI",
  achievedLevel: "https://www.w3.org/2001/XMLSchema#anyURI",
};
export const typeOf = (name: string) => types[name] ?? "http://www.w3.org/2001/XMLSchema#string";
/** Members that the format of a credential requires in this form. */
const fixed = ["@context", "id", "type", "proof", "issuer", "validFrom"];

/** Writes each text and number of a document in another spelling. */
export function respelled(
  value: JsonObject,
  place: string,
  spelled: (value: string | number, name: string) => Json,
): JsonObject {
  const inside = (each: Json, name: string): Json =>
    Array.isArray(each)
      ? each.map((one) => inside(one, name))
      : isObject(each)
        ? respelled(each, name, spelled)
        : typeof each === "string" || typeof each === "number"
          ? spelled(each, name)
          : each;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      fixed.includes(name) || (place === "" && ["name", "description"].includes(name)) || each === undefined
        ? each
        : inside(each, name),
    ]),
  );
}

/** Writes the members of a document in random spellings, many of which keep the graph. */
export function randomlyRespelled(value: JsonObject, choice: () => number): JsonObject {
  const rare = () => choice() % 150 === 0;
  const prefixed = choice() % 8 === 0;
  const listed = (each: Json): Json =>
    [each, each, each, [each], [[each]], [null, each], [each, null]][choice() % 7] as Json;
  const inside = (each: Json, name: string): Json => {
    if (Array.isArray(each)) return each.map((one) => inside(one, name)).toSorted(() => (rare() ? -1 : 0));
    if (isObject(each)) {
      const ids = Object.keys(each).length === 1 && typeof each["id"] === "string";
      if (ids && choice() % 2 === 0) return each["id"]!;
      const { id, type, ...stated } = nodeOf(each);
      if (!rare())
        return listed(id === undefined && !rare() ? { type, ...stated } : { id: id ?? "_:b", type, ...stated });
      const names = Object.entries(stated);
      const at = choice() % (names.length + 1);
      return [
        { id: id ?? "_:c", type, ...Object.fromEntries(names.slice(0, at)) },
        { id: id ?? "_:c", type, ...Object.fromEntries(names.slice(at)) },
      ];
    }
    if (choice() % 4 > 0) return each;
    const spellings: Json[] = [
      each,
      ...(name in types
        ? []
        : [{ "@value": each }, { "@value": each, "@language": null }, { "@value": each, type: null }]),
      { "@value": each, type: typeOf(name) },
      typeof each === "number"
        ? each
            .toExponential()
            .replace(/^(\d)e/, "$1.0e")
            .replace("e+", "E")
        : each,
      [each, each],
    ];
    return listed(spellings[choice() % spellings.length]!);
  };
  const nodeOf = (node: JsonObject, isTop = false): JsonObject => {
    const named = Object.entries(node).map(([name, each]): [string, Json | undefined] => {
      if (prefixed && name === "id" && !isTop) return [name, String(each).replace("urn:uuid:", "u:")];
      if (fixed.includes(name) || each === undefined || (isTop && ["name", "description"].includes(name)))
        return [name, each];
      return [name === "criteria" && rare() ? "Criteria" : name, inside(each, name)];
    });
    return Object.fromEntries(rare() ? named.toReversed() : named);
  };
  const document = nodeOf(value, true);
  return prefixed ? { ...document, "@context": [...listOf(document["@context"]), { u: "urn:uuid:" }] } : document;
}

/** The graph that the signature covers; undefined if the document has none. */
export const graphOf = ({ proof: _, ...document }: JsonObject): Promise<string | undefined> =>
  canonicalise(document).catch(() => undefined);

/** The content of an answer without its time. The order of results and evidence is not signed. */
export function toldBy({ checks, credential }: Verified) {
  const { fields, ...others } = credential as typeof credential & { fields: { label: string; value: string }[] };
  return { checks, others, fields: fields.map(({ label, value }) => `${label}: ${value}`).toSorted() };
}
