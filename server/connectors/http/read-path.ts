/**
 * Reads the value at a path such as data.people or emails.0.value; undefined if there is none. A member whose name is the
 * whole rest of the path takes precedence, because names can contain full stops.
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

/** Lists the paths of a record's values, including those in nested objects and in the first items of lists. */
export function pathsOf(record: Record<string, unknown>, depth = 3): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (typeof value !== "object" || value === null || depth === 1) return [name];
    const inner = Array.isArray(value) ? { ...value.slice(0, 1) } : value;
    return pathsOf(inner as Record<string, unknown>, depth - 1).map((path) => `${name}.${path}`);
  });
}
