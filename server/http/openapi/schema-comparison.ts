import { at, entries, isObject, list, type Json } from "./json";

/** Schemas that refer to themselves are compared this deep. */
const maxDepth = 12;

/** Keywords that narrow as they grow, and as they shrink. */
const lowerBounds = ["minLength", "minimum", "exclusiveMinimum", "minItems", "minProperties"];
const upperBounds = ["maxLength", "maximum", "exclusiveMaximum", "maxItems", "maxProperties"];

/**
 * Compares JSON schemas of two documents. Of an input, all that was taken must be taken still. Of an output, all that
 * was told must be told still, in the types that it had; more values of an enumeration are no loss.
 */
export class SchemaComparison {
  constructor(
    private readonly direction: "input" | "output",
    private readonly oldRoot: Json,
    private readonly newRoot: Json,
  ) {}

  /** What a client would stumble over, each with the place; empty where there is nothing. */
  compare(where: string, before: Json | undefined, now: Json | undefined, depth = 0): string[] {
    if (before === undefined || depth > maxDepth) return [];
    if (now === undefined) return [`${where} is gone`];
    const old = alternatives(before, this.oldRoot);
    const present = alternatives(now, this.newRoot);
    // Each thing that may be sent has to fit one that is taken; each that may come, one that was expected.
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
    // Outputs without a word on others promise none of them.
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
 * The schemas one of which has to hold: those of anyOf and oneOf, each with what stands beside them; itself where there
 * are none.
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
 * The schema of what fits a choice and what stands beside it. Undefined where nothing fits both: text beside `type:
 * integer`.
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

/** What an object says of fields that it does not name: taken, refused, or a schema. Anything else says nothing. */
function others(schema: Json): Json {
  if (at(schema, "type") !== "object") return false;
  return at(schema, "additionalProperties") ?? true;
}

/**
 * What `now` refuses by its values and limits. A pattern that became another counts: which of two takes less cannot be
 * told.
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
