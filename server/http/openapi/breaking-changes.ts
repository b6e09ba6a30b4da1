type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * What `next` removes or narrows of `before`, in words; empty where every client of `before` still works (spec section 9).
 * Inputs must not get stricter, outputs must not lose anything.
 */
export function breakingChanges(before: Json, next: Json): string[] {
  const found: string[] = [];
  for (const [path, item] of entries(at(before, "paths"))) {
    for (const [method, operation] of entries(item)) {
      const now = at(next, "paths", path, method);
      const where = `${method.toUpperCase()} ${path}`;
      if (now === undefined) found.push(`${where} is gone`);
      else compareOperation(where, operation, now, before, next, found);
    }
  }
  return found;
}

function compareOperation(where: string, before: Json, now: Json, oldRoot: Json, newRoot: Json, found: string[]): void {
  const parameters = (operation: Json) => new Map((list(at(operation, "parameters")) ?? []).map((p) => [`${String(at(p, "in"))} ${String(at(p, "name"))}`, p]));
  const oldParameters = parameters(before);
  const newParameters = parameters(now);
  for (const [name, old] of oldParameters) {
    const present = newParameters.get(name);
    if (!present) found.push(`${where}: parameter ${name} is gone`);
    else compareInput(`${where}: ${name}`, at(old, "schema"), at(present, "schema"), oldRoot, newRoot, found);
  }
  for (const [name, parameter] of newParameters) {
    if (at(parameter, "required") === true && at(oldParameters.get(name), "required") !== true) found.push(`${where}: parameter ${name} became required`);
  }
  compareInput(`${where}: body`, bodyOf(at(before, "requestBody")), bodyOf(at(now, "requestBody")), oldRoot, newRoot, found);
  for (const [status, response] of entries(at(before, "responses"))) {
    const present = at(now, "responses", status);
    if (present === undefined) found.push(`${where}: answer ${status} is gone`);
    else compareOutput(`${where}: ${status}`, bodyOf(response), bodyOf(present), oldRoot, newRoot, found);
  }
}

function compareInput(where: string, before: Json | undefined, now: Json | undefined, oldRoot: Json, newRoot: Json, found: string[], depth = 0): void {
  const old = resolve(before, oldRoot);
  const present = resolve(now, newRoot);
  if (old === undefined || depth > 12) return;
  if (present === undefined) return void found.push(`${where} is no longer taken`);
  compareType(where, old, present, found);
  for (const value of list(at(old, "enum")) ?? []) {
    if (list(at(present, "enum")) && !list(at(present, "enum"))!.includes(value)) found.push(`${where}: the value ${JSON.stringify(value)} is refused`);
  }
  for (const [keyword, stricter] of limits) {
    const [a, b] = [at(old, keyword), at(present, keyword)];
    if (typeof b === "number" && (typeof a !== "number" || stricter(b, a))) found.push(`${where}: ${keyword} became ${b}`);
  }
  const required = new Set(list(at(old, "required")) ?? []);
  for (const name of list(at(present, "required")) ?? []) if (!required.has(name)) found.push(`${where}/${String(name)} became required`);
  for (const [name, property] of entries(at(old, "properties"))) {
    compareInput(`${where}/${name}`, property, at(present, "properties", name), oldRoot, newRoot, found, depth + 1);
  }
  compareInput(`${where}[]`, at(old, "items"), at(present, "items"), oldRoot, newRoot, found, depth + 1);
}

function compareOutput(where: string, before: Json | undefined, now: Json | undefined, oldRoot: Json, newRoot: Json, found: string[], depth = 0): void {
  const old = resolve(before, oldRoot);
  const present = resolve(now, newRoot);
  if (old === undefined || depth > 12) return;
  if (present === undefined) return void found.push(`${where} is gone`);
  compareType(where, old, present, found);
  const required = new Set(list(at(present, "required")) ?? []);
  for (const name of list(at(old, "required")) ?? []) if (!required.has(name)) found.push(`${where}/${String(name)} is no longer always there`);
  for (const [name, property] of entries(at(old, "properties"))) {
    compareOutput(`${where}/${name}`, property, at(present, "properties", name), oldRoot, newRoot, found, depth + 1);
  }
  compareOutput(`${where}[]`, at(old, "items"), at(present, "items"), oldRoot, newRoot, found, depth + 1);
}

const limits: [string, (now: number, before: number) => boolean][] = [
  ["maxLength", (now, before) => now < before],
  ["maximum", (now, before) => now < before],
  ["maxItems", (now, before) => now < before],
  ["minLength", (now, before) => now > before],
  ["minimum", (now, before) => now > before],
  ["minItems", (now, before) => now > before],
];

function compareType(where: string, before: Json, now: Json, found: string[]): void {
  const [a, b] = [at(before, "type"), at(now, "type")];
  if (a !== undefined && JSON.stringify(a) !== JSON.stringify(b)) found.push(`${where}: type ${JSON.stringify(a)} became ${JSON.stringify(b)}`);
}

function bodyOf(holder: Json | undefined): Json | undefined {
  return entries(at(holder, "content")).map(([, media]) => at(media, "schema"))[0];
}

function resolve(schema: Json | undefined, root: Json): Json | undefined {
  const reference = at(schema, "$ref");
  return typeof reference === "string" ? at(root, ...reference.slice(2).split("/")) : schema;
}

function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (typeof inner === "object" && inner !== null && !Array.isArray(inner) ? inner[key] : undefined), value);
}

function entries(value: Json | undefined): [string, Json][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function list(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
