/** A change that makes `before` into `after` when it is merged: deep for objects, null removes a key (RFC 7396). */
export function mergeChange(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key): [string, unknown] => [key, null]);
  const set = Object.entries(after).flatMap(([key, value]): [string, unknown][] => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    if (JSON.stringify(was) === JSON.stringify(value)) return [];
    return [[key, isObject(was) && isObject(value) ? mergeChange(was, value) : value]];
  });
  return Object.fromEntries([...removed, ...set]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a text is as JSON; empty for no text, null where it is something else. */
export function readObject(text: string): Record<string, unknown> | null {
  if (!text.trim()) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
