import { isObject, listOf, textOf, type Json, type JsonObject } from "../json";
import { contextUrls } from "../json-ld/contexts";
import { checkContexts, checkTypes } from "./contexts";
import { Problems } from "./problems";

/**
 * Returns what is wrong with the shape of a presentation, in sentences (VCDM 2.0, section 4.13). The credentials within
 * are checked separately.
 */
export function presentationProblems(presentation: JsonObject): string[] {
  const problems = new Problems();
  checkContexts(presentation, problems);
  checkTypes(presentation, "VerifiablePresentation", problems);
  problems.url("/id", presentation["id"]);
  const { holder } = presentation;
  if (holder !== undefined) problems.url("/holder", isObject(holder) ? holder["id"] : holder, { required: true });
  listOf(presentation["verifiableCredential"]).forEach((credential, i) => {
    if (!isObject(credential)) problems.add(`/verifiableCredential/${i}`, "must be an object");
  });
  problems.typed("/termsOfUse", presentation["termsOfUse"]);
  problems.typed("/proof", presentation["proof"]);
  return problems.found;
}

/**
 * Reads the JWT in an enveloped credential or presentation (VCDM 2.0, section 4.13). Its `@context` is the base context,
 * alone or in a list, because only that defines the terms of an envelope.
 * @returns undefined if it is not enveloped, or not in a form that is read here
 */
export function envelopedJwt(document: Json, kind: "vc" | "vp"): string | undefined {
  if (!isObject(document) || !isEnveloped(document, kind)) return undefined;
  if (!listOf(document["@context"]).includes(contextUrls.credentialsV2)) return undefined;
  return new RegExp(`^data:application/${kind}\\+jwt,([\\w-]+\\.[\\w-]+\\.[\\w-]+)$`).exec(
    textOf(document["id"]) ?? "",
  )?.[1];
}

export function isEnveloped(document: JsonObject, kind: "vc" | "vp"): boolean {
  return listOf(document["type"]).includes(
    kind === "vc" ? "EnvelopedVerifiableCredential" : "EnvelopedVerifiablePresentation",
  );
}
