import { isObject, type Json } from "./json";

type Schema = { [key: string]: Json };

/** Unicode character classes that Go, Java and others read differently or not at all, each with a portable form. */
const classes: [string, string][] = [
  [String.raw`[^\p{Cc}\p{Cs}]`, String.raw`[^\x00-\x1f\x7f-\x9f]`],
  [String.raw`[^\p{Cc}]`, String.raw`[^\x00-\x1f\x7f-\x9f]`],
  // Wider than what is accepted: letters, digits, _ and - of every script. The refusal's message says the rest.
  [String.raw`[\p{L}\p{N}_-]`, String.raw`[^.\x00-\x20]`],
  // In Java, an unescaped bracket inside a class begins a nested class.
  [String.raw`[!#-[\]-~]`, String.raw`[!#-\[\]-~]`],
];

function portablePattern(pattern: string): string {
  const portable = classes
    .reduce((text, [from, to]) => text.replaceAll(from, to), pattern)
    .replaceAll(String.raw`\/`, "/");
  if (/\\p|\(\?[=!<]|\\u/i.test(portable))
    throw new Error(`The pattern ${pattern} is not read alike by every language; portable-schemas.ts has to know it.`);
  return portable;
}

const int32 = 2 ** 31 - 1;

/** Gives an integer its width as the format, and drops bounds that are only those of JavaScript's safe integers. */
function portableInteger({ minimum, maximum, ...rest }: Schema): Schema {
  const isOwn = (bound: Json | undefined) => typeof bound === "number" && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
  const fits = [minimum, maximum].every((bound) => isOwn(bound) && Math.abs(Number(bound)) <= int32);
  return {
    ...rest,
    format: fits ? "int32" : "int64",
    ...(isOwn(minimum) && { minimum: minimum! }),
    ...(isOwn(maximum) && { maximum: maximum! }),
  };
}

/** Flattens nested alternatives, and turns constants of one type into one enumeration. */
function portableAlternatives(alternatives: Json[]): Schema {
  const flat = alternatives.flatMap((each) =>
    isObject(each) && Object.keys(each).length === 1 && Array.isArray(each["anyOf"]) ? each["anyOf"] : [each],
  );
  const constants = flat.filter((each): each is Schema => isObject(each) && "const" in each);
  if (constants.length !== flat.length || new Set(constants.map(({ type }) => type)).size !== 1) return { anyOf: flat };
  return { type: constants[0]!["type"]!, enum: constants.map((each) => each["const"]!) };
}

/**
 * Rewrites a schema so that all client generators understand it: patterns that every language compiles, integers with a
 * width, enumerations instead of choices among constants.
 */
export function portable(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(portable);
  if (!isObject(schema)) return schema;
  const { example, examples, enum: values, const: constant, ...rest } = schema;
  // Keys below `properties` are names of fields and not keywords.
  let own: Schema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === "properties" && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, portable(inner)]))
        : portable(value),
    ]),
  );
  if (typeof own["pattern"] === "string") own["pattern"] = portablePattern(own["pattern"]);
  if (constant !== undefined) own["const"] = constant;
  if (values !== undefined) own["enum"] = values;
  if (
    own["type"] === "number" &&
    [constant, ...(Array.isArray(values) ? values : [])].some((value) => Number.isInteger(value))
  )
    own["type"] = "integer";
  if (own["type"] === "integer" && constant === undefined) own = portableInteger(own);
  const names = own["propertyNames"];
  if (isObject(names) && Object.keys(names).length === 1 && names["type"] === "string") delete own["propertyNames"];
  if (Array.isArray(own["anyOf"])) {
    const { anyOf, ...others } = own;
    own = { ...others, ...portableAlternatives(anyOf as Json[]) };
  }
  return { ...own, ...(example !== undefined && { example }), ...(examples !== undefined && { examples }) };
}
