export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Returns the value at a path of keys; undefined if there is none. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
}

export function entries(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
