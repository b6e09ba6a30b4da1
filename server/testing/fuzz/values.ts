import fc from "fast-check";
import { isObject, type Json } from "@/server/http/openapi/json";

/**
 * Refers to a resource that exists when the request is sent, e.g. one of the organisation's subject ids. `pick` selects
 * which one.
 */
export class Existing {
  constructor(
    readonly kind: string,
    readonly pick: number,
  ) {}
}

/** A generated value: JSON that may contain references to existing resources. */
export type Value = null | boolean | number | string | Existing | Value[] | { [key: string]: Value };

const existing = (kind: string): fc.Arbitrary<Value> => fc.nat(1_000_000).map((pick) => new Existing(kind, pick));

/** Strings that are known to break software. */
const hostileStrings = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202eevil",
  "\u200f",
  "__proto__",
  "constructor",
  "toString",
  "' OR 1=1 --",
  "\\",
  "%",
  "_",
  "%00",
  "../../etc/passwd",
  "<script>",
  "null",
  "NaN",
  "true",
  "[]",
  "{}",
  "\r\nX: y",
  "é".normalize("NFD"),
  "𝔘𝔫𝔦",
  "👩‍👩‍👧",
  "ﷺ".repeat(20),
  "0",
  "-1",
  "1e3",
  "9".repeat(400),
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:59.999Z",
  "1969-12-31T23:59:60Z",
  "a".repeat(256),
  "x".repeat(5000),
  ",",
  ",,,",
  "a,b",
  "crd_",
  "sub_00000000000000000000000000",
  "sub_zzzzzzzzzzzzzzzzzzzzzzzzzz",
  "*",
  "credential.*",
  "http://[::1]/",
  "javascript:alert(1)",
  "@",
  "a@b",
];
const hostileNumbers = [
  0,
  -0,
  -1,
  0.5,
  1e-7,
  127,
  128,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e308,
];

const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Value>;
const deep: Value = Array.from({ length: 70 }).reduce<Value>((inner) => ({ a: inner }), "x");

/** Values that no schema allows. */
export const hostile: fc.Arbitrary<Value> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<Value[]>(...hostileStrings) },
  { weight: 3, arbitrary: fc.constantFrom<Value[]>(...hostileNumbers) },
  { weight: 2, arbitrary: fc.constantFrom<Value[]>(null, true, false, [], {}, [[]], [null], { a: [] }, deep) },
  { weight: 2, arbitrary: anyJson },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);

export const hostileString: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileStrings),
  fc.string({ unit: "binary", maxLength: 60 }),
);

/** The kind of resource that a field refers to, by the field's name, at any depth. */
const references: Record<string, string> = {
  subjectId: "sub",
  groupId: "grp",
  achievementId: "ach",
  templateId: "tpl",
  credentialId: "crd",
  endpointId: "whe",
  eventId: "evt",
  resourceId: "any",
  actorId: "any",
  externalId: "externalId",
  code: "code",
  cursor: "cursor",
  ifMatch: "etag",
  photoUpdatedAt: "photoUpdatedAt",
  planHash: "planHash",
};

const sentences: Record<string, fc.Arbitrary<Value>> = {
  url: fc.constantFrom<Value[]>(
    "https://example.edu/hooks",
    "http://127.0.0.1:9/",
    "https://user:pass@example.edu/",
    "https://10.0.0.1/",
    "https://example.edu:99999/",
  ),
  email: fc.constantFrom<Value[]>("ada@example.edu", "zoë@exämple.de", "", "a@b"),
  binding: fc.constantFrom<Value[]>(
    "subject.displayName",
    "attributes.programme",
    "credential.data.grade",
    "attributes.a..b",
  ),
  timeZone: fc.constantFrom<Value[]>("Europe/Berlin", "UTC", "Mars/Olympus"),
  locale: fc.constantFrom<Value[]>("en-GB", "de", "xx-invalid-locale"),
  eventTypes: fc.constantFrom<Value[]>(["credential.*"], [], ["credential.issued"], ["nonsense"], ["*"]),
  subject: fc.oneof(
    { weight: 3, arbitrary: existing("externalId").map((externalId): Value => ({ externalId })) },
    { weight: 2, arbitrary: existing("sub").map((id): Value => ({ id })) },
    { weight: 1, arbitrary: fc.nat(500).map((n): Value => ({ externalId: `new-${n}`, displayName: "Ada" })) },
  ),
  expiresAt: fc.constantFrom<Value[]>(
    null,
    "2035-01-01T00:00:00Z",
    "2027-06-30T22:00:00.000Z",
    "2035-01-01T00:00:00+14:00",
    "2020-01-01T00:00:00Z",
  ),
  validFrom: fc.constantFrom<Value[]>("2026-01-01T00:00:00Z", "2026-12-01T00:00:00Z", "2034-12-31T00:00:00Z"),
  slug: fc.constantFrom<Value[]>("one", "two", "Not a slug", ""),
  expectedCount: fc.integer({ min: 1, max: 4 }),
  publish: fc.constantFrom<Value[]>(true, true, true, false),
  type: fc.constantFrom<Value[]>("credential.issued", "credential.*", "subject.created", "nonsense"),
  state: fc.constantFrom<Value[]>("active", "active,revoked", "nonsense"),
  kind: fc.constantFrom<Value[]>("membership", "student_id,academic", "nonsense"),
};

type Schemas = { [name: string]: Json };

/** The depth to which references between schemas are followed. */
const deepest = 6;

/**
 * Generates values for a schema: mostly valid ones, including those at its limits and one beyond, and sometimes a value
 * that it does not allow.
 */
export function valuesOf(schema: Json, schemas: Schemas, name = "", depth = 0): fc.Arbitrary<Value> {
  const valid = validOf(schema, schemas, name, depth);
  return fc.oneof({ weight: 30, arbitrary: valid }, { weight: 1, arbitrary: hostile });
}

function validOf(schema: Json, schemas: Schemas, name: string, depth: number): fc.Arbitrary<Value> {
  if (!isObject(schema)) return anyJson;
  if (typeof schema["$ref"] === "string")
    // A schema can contain itself, as a rule does: beyond the deepest level, use any JSON.
    return depth > deepest ? anyJson : valuesOf(schemas[schema["$ref"].split("/").at(-1)!]!, schemas, name, depth + 1);
  const reference = references[name];
  if (reference && schema["type"] === "string") {
    return fc.oneof(
      { weight: 8, arbitrary: existing(reference) },
      { weight: 1, arbitrary: existing(`foreign ${reference}`) },
      { weight: 2, arbitrary: stringOf(schema) },
    );
  }
  const sentence = sentences[name];
  if (sentence && !schema["enum"])
    return name === "subject"
      ? fc.oneof({ weight: 4, arbitrary: sentence }, { weight: 1, arbitrary: objectOf(schema, schemas, depth) })
      : sentence;
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice) => valuesOf(choice, schemas, name, depth)));
  if (schema["const"] !== undefined) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom<Value[]>(...schema["enum"]);
  if (schema["type"] === "integer" || schema["type"] === "number") return numberOf(schema);
  if (schema["type"] === "boolean") return fc.boolean();
  if (schema["type"] === "null") return fc.constant(null);
  if (schema["type"] === "array") return arrayOf(schema, schemas, name, depth);
  if (schema["type"] === "object") return objectOf(schema, schemas, depth);
  return schema["type"] === "string" ? stringOf(schema) : anyJson;
}

const bound = (schema: { [key: string]: Json }, key: string, fallback: number) =>
  typeof schema[key] === "number" ? schema[key] : fallback;

function numberOf(schema: { [key: string]: Json }): fc.Arbitrary<Value> {
  const [min, max] = [bound(schema, "minimum", -100), bound(schema, "maximum", 10_000)];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min, max: Math.min(max, min + 200) }) },
    { weight: 1, arbitrary: fc.constantFrom<Value[]>(min, max, min - 1, max + 1, ...hostileNumbers) },
  );
}

function stringOf(schema: { [key: string]: Json }): fc.Arbitrary<Value> {
  if (schema["format"] === "date-time") {
    return fc.oneof(
      fc
        .date({ min: new Date("2020-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
        .map((date) => date.toISOString()),
      fc.constantFrom<Value[]>(
        "1899-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
        "2026-03-29T02:30:00+01:00",
        "2026-02-29T00:00:00Z",
      ),
    );
  }
  if (schema["format"] === "date") return fc.constantFrom<Value[]>("2027-09-30", "2027-02-29", "0001-01-01");
  const [min, max] = [bound(schema, "minLength", 0), bound(schema, "maxLength", 40)];
  const atBounds = [min, max, max + 1, Math.max(0, min - 1)]
    .filter((length) => length <= 30_000)
    .map((length) => "a".repeat(length));
  const usual = fc.string({
    unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789-"),
    minLength: Math.min(min, 20),
    maxLength: Math.min(max, 24),
  });
  return fc.oneof(
    { weight: 12, arbitrary: usual },
    { weight: 1, arbitrary: fc.constantFrom<Value[]>(...atBounds) },
    { weight: 1, arbitrary: hostileString },
  );
}

function arrayOf(schema: { [key: string]: Json }, schemas: Schemas, name: string, depth: number): fc.Arbitrary<Value> {
  const [min, max] = [bound(schema, "minItems", 0), bound(schema, "maxItems", 100)];
  const item = name === "ids" ? existing("any") : valuesOf(schema["items"] ?? {}, schemas, "", depth + 1);
  const usual = fc.array(item, { minLength: min, maxLength: Math.max(min, Math.min(max, depth > 3 ? 1 : 4)) });
  const over = max <= 200 ? [fc.array(fc.constant("a" as Value), { minLength: max + 1, maxLength: max + 1 })] : [];
  return fc.oneof(
    { weight: 20, arbitrary: usual },
    { weight: 1, arbitrary: fc.oneof(fc.constant<Value>([]), ...over) },
  );
}

function objectOf(schema: { [key: string]: Json }, schemas: Schemas, depth: number): fc.Arbitrary<Value> {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const isFree = schema["additionalProperties"] !== false && Object.keys(properties).length === 0;
  if (isFree)
    return fc.dictionary(
      fc.oneof(fc.constantFrom("programme", "grade", "__proto__", "a.b", ""), fc.string({ maxLength: 8 })),
      isObject(schema["additionalProperties"]) && Object.keys(schema["additionalProperties"]).length > 0
        ? valuesOf(schema["additionalProperties"], schemas, "", depth + 1)
        : anyJson,
      { maxKeys: 3 },
    );
  const fields = Object.entries(properties).map(([name, inner]) => {
    const value: fc.Arbitrary<Value | undefined> = valuesOf(inner, schemas, name, depth + 1);
    const presence = required.includes(name) ? 60 : 1;
    return fc
      .oneof(
        { weight: presence, arbitrary: value },
        { weight: required.includes(name) ? 1 : 3, arbitrary: fc.constant(undefined) },
      )
      .map((chosen) => [name, chosen] as const);
  });
  const unknown = fc.oneof({ weight: 40, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: hostileString });
  return fc
    .tuple(unknown, ...fields)
    .map(
      ([extra, ...chosen]) =>
        Object.fromEntries(
          [...chosen, ...(extra === undefined ? [] : [[extra, "unknown"] as const])].filter(
            ([, value]) => value !== undefined,
          ),
        ) as Value,
    );
}
