/** A part of a record that two people changed in different ways. */
export interface Clash {
  /** The names on the path to it. */
  path: readonly string[];
  /** Undefined if it was removed. */
  mine: unknown;
  theirs: unknown;
}

type Fields = Record<string, unknown>;

/**
 * Applies the changes that one person made to `first` on top of `theirs`. Parts that the person did not change stay as
 * somebody else saved them. Objects are merged by member, lists whose items have a `key` by item, and anything else as
 * a whole. If both changed the same part, `mine` is taken and the clash is reported.
 */
export function threeWay<F extends object>(first: F, mine: F, theirs: F): { merged: F; clashes: Clash[] } {
  const clashes: Clash[] = [];
  return { merged: merge(first, mine, theirs, [], clashes) as F, clashes };
}

/**
 * Does the same for a person who saw both values and continued to edit. Changes since `asked` are taken as they are
 * now, even if a value equals that of `first` again.
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
  // The order of items is that of the person who reordered them.
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

/**
 * Returns the items of a list by key; null for any other value. A key that is an integer is not supported, because it
 * would change the order.
 */
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
