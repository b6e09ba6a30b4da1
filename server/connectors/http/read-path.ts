/**
 * Reads what stands at a path of JSON: data.people, emails.0.value. A member whose name is the whole rest of the path
 * comes first, since names may hold points. undefined where nothing is there.
 */
export function readPath(value: unknown, path: string): unknown {
  if (path === "") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const own = (name: string) => (Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined);
  const whole = own(path);
  if (whole !== undefined) return whole;
  const point = path.indexOf(".");
  return point < 0 ? undefined : readPath(own(path.slice(0, point)), path.slice(point + 1));
}

/** The paths of a record's values, those of nested objects and of the first items of lists included. */
export function pathsOf(record: Record<string, unknown>, depth = 3): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null || depth === 1) return [name];
    const inner = Array.isArray(value) ? { ...value.slice(0, 1) } : value;
    return pathsOf(inner as Record<string, unknown>, depth - 1).map((path) => `${name}.${path}`);
  });
}
