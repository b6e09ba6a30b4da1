import { at, entries, isObject, list, type Json } from "./json";

/** Depth to which recursive schemas are compared. */
const maxDepth = 12;

/** Keywords that narrow a schema when they grow (lowerBounds) or shrink (upperBounds). */
const lowerBounds = ["minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties"];
const upperBounds = ["maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties"];

/**
 * Compares JSON schemas of two documents. An input must still accept everything that it accepted. An output must still
 * return everything that it returned, with the same types; it may have more values in an enumeration.
 */
export class SchemaComparison {
  constructor(
    private readonly direction: "input" | "output",
    private readonly oldRoot: Json,
    private readonly newRoot: Json,
  ) {}

  /** Returns the differences that would break a client, each with its place; empty if there are none. */
  compare(where: string, before: Json | undefined, now: Json | undefined, depth = 0): string[] {
    if (before === undefined || depth > maxDepth) return [];
    if (now === undefined) return [`${where} is gone`];
    const old = alternatives(before, this.oldRoot);
    const present = alternatives(now, this.newRoot);
    // For an input, each old alternative must fit a new one; for an output, each new alternative must fit an old one.
    const closest = (candidates: string[][]) =>
      candidates.reduce((best, each) => (each.length < best.length ? each : best));
    return this.direction === "input"
      ? old.flatMap((o) => closest(present.map((n) => this.#one(where, o, n, depth))))
      : present.flatMap((n) => closest(old.map((o) => this.#one(where, o, n, depth))));
  }

  #one(where: string, old: Json, now: Json, depth: number): string[] {
    return [
      ...this.#type(where, old, now),
      ...(this.direction === "input" ? narrowed(where, old, now) : []),
      ...this.#required(where, old, now),
      ...this.#properties(where, old, now, depth),
      ...this.compare(`${where}[]`, at(old, "items"), at(now, "items"), depth + 1),
    ];
  }

  #type(where: string, old: Json, now: Json): string[] {
    return ["type", "format"].flatMap((keyword) => {
      const [a, b] = [at(old, keyword), at(now, keyword)];
      const stays = JSON.stringify(a) === JSON.stringify(b) || (this.direction === "input" ? b : a) === undefined;
      return stays ? [] : [`${where}: ${keyword} ${JSON.stringify(a)} became ${JSON.stringify(b)}`];
    });
  }

  #required(where: string, old: Json, now: Json): string[] {
    const [a, b] = [list(at(old, "required")), list(at(now, "required"))];
    return this.direction === "input"
      ? b.filter((name) => !a.includes(name)).map((name) => `${where}/${String(name)} became required`)
      : a.filter((name) => !b.includes(name)).map((name) => `${where}/${String(name)} is no longer always there`);
  }

  #properties(where: string, old: Json, now: Json, depth: number): string[] {
    const [oldOthers, newOthers] = [others(old), others(now)];
    const named = entries(at(old, "properties")).flatMap(([name, property]) =>
      this.compare(
        `${where}/${name}`,
        property,
        at(now, "properties", name) ?? (isObject(newOthers) ? newOthers : undefined),
        depth + 1,
      ),
    );
    // An output without a schema for other fields promises none of them.
    if (oldOthers === false || (this.direction === "output" && !isObject(oldOthers))) return named;
    if (newOthers === false) return [...named, `${where}: other fields are gone`];
    return [
      ...named,
      ...(isObject(newOthers)
        ? this.compare(`${where}/*`, oldOthers === true ? {} : oldOthers, newOthers, depth + 1)
        : []),
      ...(this.direction === "input"
        ? this.compare(`${where}/* (name)`, at(old, "propertyNames") ?? {}, at(now, "propertyNames") ?? {}, depth + 1)
        : []),
    ];
  }
}

/**
 * Returns the schemas of which one must hold: the choices of anyOf or oneOf, each merged with the keywords next to it;
 * the schema itself if it has no choices.
 */
function alternatives(schema: Json, root: Json): Json[] {
  const reference = at(schema, "$ref");
  if (typeof reference === "string") return alternatives(at(root, ...reference.slice(2).split("/")) ?? {}, root);
  const keyword = ["anyOf", "oneOf"].find((each) => list(at(schema, each)).length > 0);
  if (!keyword || !isObject(schema)) return [schema];
  const { [keyword]: choices, ...beside } = schema;
  return list(choices).flatMap((choice) => alternatives(choice, root).flatMap((each) => both(beside, each) ?? []));
}

/**
 * Merges a choice with the keywords next to it. Undefined if no value fits both, e.g. a text next to `type: integer`.
 */
function both(beside: { [key: string]: Json }, choice: Json): Json | undefined {
  if (!isObject(choice)) return choice;
  const types = [beside["type"], choice["type"]].filter((type) => type !== undefined);
  const isNumeric = types.every((type) => type === "integer" || type === "number");
  if (types.length === 2 && types[0] !== types[1] && !isNumeric) return undefined;
  const merged: { [key: string]: Json } = {
    ...beside,
    ...choice,
    ...(types.includes("integer") && { type: "integer" }),
  };
  const narrower = (keywords: string[], pick: (...values: number[]) => number) => {
    for (const keyword of keywords) {
      const bounds = [beside[keyword], choice[keyword]].filter((bound) => typeof bound === "number");
      if (bounds.length > 0) merged[keyword] = pick(...bounds);
    }
  };
  narrower(lowerBounds, Math.max);
  narrower(upperBounds, Math.min);
  return merged;
}

/**
 * Returns what an object says about fields that it does not name: true (accepted), false (refused) or a schema. False
 * for schemas of other types.
 */
function others(schema: Json): Json {
  if (at(schema, "type") !== "object") return false;
  return at(schema, "additionalProperties") ?? true;
}

/**
 * Lists the values and limits by which `now` refuses more. A changed pattern counts, because which of two patterns
 * accepts less cannot be decided.
 */
function narrowed(where: string, old: Json, now: Json): string[] {
  const values = (schema: Json) =>
    at(schema, "enum") ?? (at(schema, "const") === undefined ? undefined : [at(schema, "const")!]);
  const [a, b] = [values(old), values(now)];
  const refused =
    b === undefined
      ? []
      : a === undefined
        ? [`${where}: only ${JSON.stringify(b)} is taken`]
        : list(a)
            .filter((value) => !list(b).includes(value))
            .map((value) => `${where}: the value ${JSON.stringify(value)} is refused`);
  const bounds = [...lowerBounds, ...upperBounds].filter((keyword) => {
    const [from, to] = [at(old, keyword), at(now, keyword)];
    return (
      typeof to === "number" && (typeof from !== "number" || (lowerBounds.includes(keyword) ? to > from : to < from))
    );
  });
  const pattern = at(now, "pattern");
  return [
    ...refused,
    ...bounds.map((keyword) => `${where}: ${keyword} became ${JSON.stringify(at(now, keyword))}`),
    ...(pattern !== undefined && pattern !== at(old, "pattern")
      ? [`${where}: pattern became ${JSON.stringify(pattern)}`]
      : []),
  ];
}
