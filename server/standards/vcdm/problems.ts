import { isObject, listOf, type Json, type JsonObject } from "../json";
import { isUrl } from "./forms";

/** Collects what is wrong with a document, each once, as a sentence that begins with the place; at most 20. */
export class Problems {
  readonly found: string[] = [];

  add(place: string, what: string): void {
    const sentence = `${place} ${what}.`;
    if (this.found.length < 20 && !this.found.includes(sentence)) this.found.push(sentence);
  }

  /** An identifier is one URL (VCDM 2.0, section 4.4). */
  url(place: string, value: Json | undefined, { required = false } = {}): void {
    if (value === undefined ? required : !isUrl(value)) this.add(place, "must be a URL");
  }

  /**
   * Checks one or several objects: each has a type (VCDM 2.0, section 4.5), its `id`, if any, is a URL, and `check`
   * accepts it.
   */
  typed(place: string, value: Json | undefined, check?: (object: JsonObject, at: string) => void): void {
    this.objects(place, value, (object, at) => {
      if (!hasTypes(object)) this.add(`${at}/type`, "must name a type");
      check?.(object, at);
    });
  }

  objects(place: string, value: Json | undefined, check: (object: JsonObject, at: string) => void): void {
    if (Array.isArray(value) && value.length === 0) this.add(place, "must not be empty");
    listOf(value).forEach((each, i) => {
      const at = Array.isArray(value) ? `${place}/${i}` : place;
      if (!isObject(each)) return this.add(at, "must be an object");
      this.url(`${at}/id`, each["id"]);
      check(each, at);
    });
  }
}

function hasTypes({ type }: JsonObject): boolean {
  const types = listOf(type);
  return types.length > 0 && types.every((each) => typeof each === "string" && each !== "");
}
