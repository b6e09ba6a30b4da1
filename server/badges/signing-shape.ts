import { slot } from "@/server/standards/batch-signing/slots";
import type { Values } from "@/server/standards/batch-signing/signing-template";
import { isObject, type Json, type JsonObject } from "@/server/standards/json";

type Kind = Parameters<typeof slot>[0];
/** The paths of members that differ between credentials; `*` is any index of a list. */
const differing: Record<string, Kind> = {
  id: "url",
  awardedDate: "text",
  validFrom: "text",
  validUntil: "text",
  "credentialSubject.identifier.*.identityHash": "text",
  "credentialSubject.identifier.*.salt": "text",
  "credentialSubject.result.*.value": "text",
  "evidence.*.id": "url",
  "evidence.*.name": "text",
  "evidence.*.narrative": "text",
  "evidence.*.description": "text",
  "evidence.*.genre": "text",
  "evidence.*.audience": "text",
  "credentialStatus.*.id": "url",
  "credentialStatus.*.statusListIndex": "text",
};

/**
 * Splits the unsigned document of a badge into a part that many credentials share, with slots, and the values of this
 * credential. Credentials of one template version have few shapes: they differ in optional members, and in credits.
 */
export function shapeOf(document: JsonObject): { template: JsonObject; values: Values } {
  const values: Values = {};
  const replaced = (value: Json, path: string): Json => {
    const kind = Object.hasOwn(differing, path) ? differing[path] : undefined;
    if (kind && typeof value === "string") {
      const name = `v${Object.keys(values).length}`;
      values[name] = value;
      return slot(kind, name);
    }
    if (Array.isArray(value)) return value.map((each) => replaced(each, `${path}.*`));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, replaced(each!, path === "" ? key : `${path}.${key}`)]),
    );
  };
  return { template: replaced(document, "") as JsonObject, values };
}
