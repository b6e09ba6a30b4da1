import { at, entries, list, type Json } from "./json";
import { SchemaComparison } from "./schema-comparison";

/**
 * Lists what `next` removes from `before` or narrows; empty if every client of `before` still works (spec section 9).
 * Inputs must not get stricter, outputs must not lose anything, and no operation may require more rights.
 */
export function breakingChanges(before: Json, next: Json): string[] {
  const found: string[] = [];
  for (const [path, item] of entries(at(before, "paths"))) {
    for (const [method, operation] of entries(item)) {
      const now = at(next, "paths", path, method);
      const where = `${method.toUpperCase()} ${path}`;
      if (now === undefined) found.push(`${where} is gone`);
      else found.push(...compareOperation(where, { document: before, operation }, { document: next, operation: now }));
    }
  }
  return found;
}

interface Side {
  document: Json;
  operation: Json;
}

function compareOperation(where: string, before: Side, now: Side): string[] {
  const inputs = new SchemaComparison("input", before.document, now.document);
  const outputs = new SchemaComparison("output", before.document, now.document);
  return [
    ...compareParameters(where, before.operation, now.operation, inputs),
    ...compareBodies(`${where}: body`, at(before.operation, "requestBody"), at(now.operation, "requestBody"), inputs),
    ...(at(now.operation, "requestBody", "required") === true &&
    at(before.operation, "requestBody", "required") !== true
      ? [`${where}: body became required`]
      : []),
    ...entries(at(before.operation, "responses")).flatMap(([status, response]) => {
      const present = resolved(at(now.operation, "responses", status), now.document);
      // A refusal that no longer occurs breaks no client.
      if (present === undefined) return Number(status) >= 400 ? [] : [`${where}: answer ${status} is gone`];
      return compareBodies(`${where}: ${status}`, resolved(response, before.document), present, outputs);
    }),
    ...compareRights(where, before, now),
  ];
}

/** Resolves a reference to a component of the document; returns anything else unchanged. */
function resolved(part: Json | undefined, document: Json): Json | undefined {
  const reference = at(part, "$ref");
  return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : part;
}

function compareParameters(where: string, before: Json, now: Json, inputs: SchemaComparison): string[] {
  const named = (operation: Json) =>
    new Map(list(at(operation, "parameters")).map((p) => [`${String(at(p, "in"))} ${String(at(p, "name"))}`, p]));
  const [old, present] = [named(before), named(now)];
  const kept = [...old].flatMap(([name, parameter]) =>
    present.has(name)
      ? inputs.compare(`${where}: ${name}`, at(parameter, "schema"), at(present.get(name), "schema"))
      : [`${where}: parameter ${name} is gone`],
  );
  const required = [...present].filter(
    ([name, parameter]) => at(parameter, "required") === true && at(old.get(name), "required") !== true,
  );
  return [...kept, ...required.map(([name]) => `${where}: parameter ${name} became required`)];
}

function compareBodies(
  where: string,
  before: Json | undefined,
  now: Json | undefined,
  schemas: SchemaComparison,
): string[] {
  return entries(at(before, "content")).flatMap(([type, media]) => {
    const present = at(now, "content", type);
    return present === undefined
      ? [`${where} as ${type} is gone`]
      : schemas.compare(where, at(media, "schema"), at(present, "schema"));
  });
}

/**
 * Every security requirement that was accepted before must still be accepted. A requirement lists schemes with scopes,
 * all of which are needed; {} requires nothing.
 */
function compareRights(where: string, before: Side, now: Side): string[] {
  const ways = ({ document, operation }: Side) => {
    const named = list(at(operation, "security") ?? at(document, "security"));
    return named.length > 0 ? named : [{}];
  };
  const present = ways(now);
  const suffices = (old: Json) =>
    present.some((way) =>
      entries(way).every(
        ([scheme, scopes]) =>
          at(old, scheme) !== undefined && list(scopes).every((scope) => list(at(old, scheme)).includes(scope)),
      ),
    );
  return ways(before)
    .filter((way) => !suffices(way))
    .map((way) => `${where}: ${JSON.stringify(way)} no longer suffices`);
}
