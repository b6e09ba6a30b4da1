import { badRequest, ScimError } from "./error";
import type { Filter } from "./filter";
import type { Change } from "./patch";
import { isFields, type Fields, type Json } from "./values";

/**
 * The change of a group's members in a request, by the sent values. If `clears`, all members leave first. Then those in
 * `removes` leave and those in `adds` join. No value is in both sets.
 */
export interface MemberDelta {
  clears: boolean;
  adds: Set<string>;
  removes: Set<string>;
}

/** A value of members is an id or an externalId. */
const longestValue = 500;

export const isOfMembers = ({ target }: Change): boolean => target.urn === null && target.attribute?.name === "members";

/**
 * Combines the changes of members in a PATCH into one delta, in order. Changes of a part of a member (display, type,
 * $ref) are ignored: they are read-only, and they must remove nobody (docs/decisions/521).
 *
 * @throws ScimError invalidValue; mutability for a change of the value of a member; invalidFilter for a value filter
 * that identifies members by anything but their value
 */
export function foldMemberChanges(changes: readonly Change[]): MemberDelta {
  const delta: MemberDelta = { clears: false, adds: new Set(), removes: new Set() };
  for (const { op, target, value } of changes) {
    if (target.sub?.toLowerCase() === "value") throw immutable();
    if (target.sub !== null) continue;
    const filtered = target.filter && valuesOf(target.filter);
    if (op === "remove") {
      // A remove without a value removes all members; a remove with an empty list removes none.
      if (filtered) remove(delta, filtered);
      else if (value === undefined || value === null) clear(delta);
      else remove(delta, readMembers(value));
    } else if (filtered) {
      const given = readMembers(value);
      if (op === "replace" && given.length > 0) remove(delta, filtered);
      add(delta, given.length > 0 ? given : filtered);
    } else {
      if (op === "replace") clear(delta);
      add(delta, readMembers(value));
    }
  }
  return delta;
}

const immutable = () =>
  new ScimError(
    400,
    "mutability",
    'The value of a member cannot be changed or removed. Add or remove the member itself: members[value eq "…"].',
  );

/** The delta of a POST or PUT: afterwards the members are exactly the sent ones. */
export function replaceMembers(sent: Json | undefined): MemberDelta {
  return { clears: true, adds: new Set(readMembers(sent)), removes: new Set() };
}

function clear(delta: MemberDelta): void {
  delta.clears = true;
  delta.adds.clear();
  delta.removes.clear();
}

function add({ adds, removes }: MemberDelta, values: string[]): void {
  for (const value of values) {
    adds.add(value);
    removes.delete(value);
  }
}

function remove({ adds, removes }: MemberDelta, values: string[]): void {
  for (const value of values) {
    adds.delete(value);
    removes.add(value);
  }
}

/** The values of members: one or a list, each a text or an object with a value. */
function readMembers(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((each) => {
    const told = isFields(each) ? each[Object.keys(each).find((name) => name.toLowerCase() === "value") ?? ""] : each;
    if (typeof told !== "string" || told.trim() === "")
      throw badRequest("invalidValue", "A member is an object whose value is the id of a user.");
    if (told.length > longestValue)
      throw badRequest("invalidValue", `The value of a member has more than ${longestValue} characters.`);
    return told.trim();
  });
}

/** The values in a filter of members: members[value eq "a" or value eq "b"]. */
function valuesOf(filter: Filter): string[] {
  if (filter.op === "or") return filter.of.flatMap(valuesOf);
  if (filter.op === "eq" && filter.name.toLowerCase() === "value" && filter.value !== null)
    return [String(filter.value).trim()];
  throw badRequest("invalidFilter", 'Members are named by their value: members[value eq "…"].');
}

/** Removes the members from a sent resource, in any case and under the URN of the schema. */
export function splitMembers(body: Fields): { members: Json | undefined; rest: Fields } {
  let members: Json | undefined;
  const rest: Fields = Object.create(null) as Fields;
  for (const [name, value] of Object.entries(body)) {
    if (name.toLowerCase() === "members") members = value;
    else if (name.toLowerCase().startsWith("urn:") && isFields(value)) {
      const inner = splitMembers(value);
      members ??= inner.members;
      rest[name] = inner.rest;
    } else rest[name] = value;
  }
  return { members, rest };
}
