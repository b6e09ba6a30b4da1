/** A part of a record that two people changed in different ways. */
export interface Clash {
  /** The names that lead to it. */
  path: readonly string[];
  /** Undefined where it was removed. */
  mine: unknown;
  theirs: unknown;
}

type Fields = Record<string, unknown>;

/**
 * Puts the changes that one person made to `first` on top of `theirs`: what that person left alone is as somebody else
 * saved it. Objects are merged member by member, lists whose items have a `key` item by item, anything else as a whole.
 * Where both changed the same, `mine` is taken and told.
 */
export function threeWay<F extends object>(first: F, mine: F, theirs: F): { merged: F; clashes: Clash[] } {
  const clashes: Clash[] = [];
  return { merged: merge(first, mine, theirs, [], clashes) as F, clashes };
}

/**
 * The same for a person who was shown both values and went on editing: what they changed since `asked` is taken as it
 * is now, also where it is the value of `first` again.
 */
export function threeWaySince<F extends object>(
  first: F,
  asked: F,
  mine: F,
  theirs: F,
): { merged: F; clashes: Clash[] } {
  const before = threeWay(first, asked, theirs);
  const after = threeWay(asked, mine, before.merged);
  const still = before.clashes
    .map((clash) => ({ ...clash, mine: valueAt(after.merged, clash.path) }))
    .filter((clash) => !same(clash.mine, clash.theirs));
  return { merged: after.merged, clashes: [...still, ...after.clashes] };
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => own(byKey(at) ?? (isObject(at) ? at : {}), name), value);
}

function merge(first: unknown, mine: unknown, theirs: unknown, path: readonly string[], clashes: Clash[]): unknown {
  if (same(mine, first)) return theirs;
  if (same(theirs, first) || same(mine, theirs)) return mine;
  if (isObject(mine) && isObject(theirs))
    return mergeMembers(isObject(first) ? first : {}, mine, theirs, path, clashes);
  const [keyedMine, keyedTheirs] = [byKey(mine), byKey(theirs)];
  if (keyedMine && keyedTheirs)
    return Object.values(mergeMembers(byKey(first) ?? {}, keyedMine, keyedTheirs, path, clashes));
  clashes.push({ path, mine, theirs });
  return mine;
}

function mergeMembers(first: Fields, mine: Fields, theirs: Fields, path: readonly string[], clashes: Clash[]): Fields {
  // Items of a list stand in the order of whoever moved them.
  const moved = !same(Object.keys(mine), Object.keys(first));
  const names = new Set([...Object.keys(moved ? mine : theirs), ...Object.keys(moved ? theirs : mine)]);
  const members = [...names].map((name) => [
    name,
    merge(own(first, name), own(mine, name), own(theirs, name), [...path, name], clashes),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as Fields;
}

/** Equal as JSON, in whatever order the members of objects stand. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  );
}

/** The items of a list under their keys; null for any other value. A key is no index: those would change the order. */
function byKey(value: unknown): Fields | null {
  if (!Array.isArray(value) || !value.every(hasKey)) return null;
  const items = value.map((item) => [item.key, item] as const);
  return new Set(value.map(({ key }) => key)).size === value.length ? Object.fromEntries(items) : null;
}

function hasKey(item: unknown): item is { key: string } {
  return isObject(item) && typeof item["key"] === "string" && !/^\d+$/.test(item["key"]);
}

const own = (object: Fields, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
