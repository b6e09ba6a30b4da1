import { isObject, listOf, type Json } from "../json";
import type { Problems } from "./problems";

const known = new Set(["@value", "@language", "@direction"]);

/** A text, or texts with language and direction (VCDM 2.0, section 11.1): `name` and `description`. */
export function checkLanguageValue(place: string, value: Json | undefined, problems: Problems): void {
  for (const each of listOf(value)) {
    if (typeof each === "string") continue;
    if (!isObject(each)) problems.add(place, "must be a text, or an object with a text and its language");
    else if (typeof each["@value"] !== "string" || !isLanguage(each["@language"]) || !isDirection(each["@direction"]))
      problems.add(place, "must have a text in @value, a language tag in @language and ltr or rtl in @direction");
    else if (Object.keys(each).some((key) => !known.has(key)))
      problems.add(place, "may have @value, @language and @direction alone");
  }
}

const isLanguage = (tag: Json | undefined) =>
  tag === undefined || (typeof tag === "string" && /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/i.test(tag));
const isDirection = (direction: Json | undefined) =>
  direction === undefined || direction === "ltr" || direction === "rtl";
