import { isDeepStrictEqual } from "node:util";
import type { Change } from "../protocol/patch";
import { fields, isFields, type Fields, type Json } from "../protocol/values";

/**
 * Removes name.formatted if a PATCH changes the given or the family name without restating the formatted name, which is
 * then outdated (docs/decisions/557).
 */
export function withoutOldName(before: Fields, next: Fields, changes: readonly Change[]): Fields {
  const [was, is] = [before["name"], next["name"]];
  if (!isFields(was) || !isFields(is) || is["formatted"] === undefined) return next;
  const parts = [is["givenName"], is["familyName"]];
  const isRenamed = parts.some(Boolean) && !isDeepStrictEqual(parts, [was["givenName"], was["familyName"]]);
  if (!isRenamed || changes.some(saysFormatted)) return next;
  const { formatted: _, ...name } = is;
  return fields({ ...next, name: fields(name) });
}

const saysFormatted = ({ target, value }: Change): boolean =>
  target.attribute?.name === "name" && (target.sub === "formatted" || (target.sub === null && hasFormatted(value)));

const hasFormatted = (value: Json | undefined): boolean =>
  Array.isArray(value)
    ? value.some(hasFormatted)
    : isFields(value)
      ? Object.keys(value).some((name) => name.toLowerCase() === "formatted")
      : value !== undefined;
