import { UnreadableObject, type Path, type ReadObject } from "./read-object";

/**
 * Returns the change that turns `before` into `after` when it is merged: objects are merged deeply, and null removes a
 * key (RFC 7396).
 */
export function mergeChange(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const removed = Object.keys(before)
    .filter((key) => !Object.hasOwn(after, key))
    .map((key): [string, unknown] => [key, null]);
  const set = Object.entries(after).flatMap(([key, value]): [string, unknown][] => {
    const was = own(before, key);
    if (JSON.stringify(was) === JSON.stringify(value)) return [];
    return [[key, isObject(was) && isObject(value) ? mergeChange(was, value) : value]];
  });
  return Object.fromEntries([...removed, ...set]);
}

/**
 * Does the same as mergeChange for text that a person typed.
 *
 * @throws UnreadableObject if a null would remove a field that the person sees in the text
 */
export function mergeTyped(before: Record<string, unknown>, { value, lineOf }: ReadObject): Record<string, unknown> {
  const lost = lostNull(before, value);
  if (lost)
    throw new UnreadableObject(
      `Line ${lineOf(lost)}: null cannot be kept, it removes the field. Leave ${JSON.stringify(lost.at(-1))} out to remove it, or write "".`,
    );
  return mergeChange(before, value);
}

/**
 * Returns the first null that a merge would treat as a removal. A null that is stored already is not sent, and stays.
 */
function lostNull(before: Record<string, unknown>, after: Record<string, unknown>): Path | undefined {
  for (const [key, value] of Object.entries(after)) {
    const was = own(before, key);
    if (value === null && was !== null) return [key];
    const within = isObject(value) ? lostNull(isObject(was) ? was : {}, value) : undefined;
    if (within) return [key, ...within];
  }
  return undefined;
}

const own = (object: Record<string, unknown>, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
