import { contextUrls } from "../json-ld/contexts";
import { isObject, textOf, type JsonObject } from "../json";
import { isUrl } from "./forms";
import type { Problems } from "./problems";

export type VcdmVersion = "1.1" | "2.0";

/** The version of the data model that a document follows, by its first context; undefined for any other context. */
export function versionOf(document: JsonObject): VcdmVersion | undefined {
  const context = document["@context"];
  const first = Array.isArray(context) ? textOf(context[0]) : undefined;
  return first === contextUrls.credentialsV2 ? "2.0" : first === contextUrls.credentialsV1 ? "1.1" : undefined;
}

/** Checks that the contexts are a list of the base context, then URLs and objects (VCDM 2.0, section 4.3). */
export function checkContexts(document: JsonObject, problems: Problems): void {
  const context = document["@context"];
  if (!Array.isArray(context)) return problems.add("/@context", "must be a list");
  if (!versionOf(document))
    problems.add("/@context/0", `must be ${contextUrls.credentialsV2} or ${contextUrls.credentialsV1}`);
  const bases = context.filter((each) => each === contextUrls.credentialsV1 || each === contextUrls.credentialsV2);
  if (bases.length > 1) problems.add("/@context", "must name one base context, once");
  context.forEach((each, i) => {
    if (!isUrl(each) && !isObject(each)) problems.add(`/@context/${i}`, "must be a URL or an object");
  });
}

/** Checks the types (VCDM 2.0, section 4.5). Whether a context defines them is found when the document is expanded. */
export function checkTypes(document: JsonObject, wanted: string, problems: Problems): void {
  const { type } = document;
  const types = Array.isArray(type) ? type : [type];
  if (!types.every((each) => typeof each === "string" && each !== ""))
    problems.add("/type", "must be a text or a list of texts");
  if (!types.includes(wanted)) problems.add("/type", `must name ${wanted}`);
}
