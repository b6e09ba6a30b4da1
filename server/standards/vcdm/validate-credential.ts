import { isObject, textOf, type Json, type JsonObject } from "../json";
import { checkContexts, checkTypes, versionOf } from "./contexts";
import { timeOf } from "./forms";
import { checkLanguageValue } from "./language-value";
import { Problems } from "./problems";
import { checkRelatedResources, isSri } from "./related-resource";

/** The names of the properties of the validity period, by version. */
const validityNames = { "2.0": ["validFrom", "validUntil"], "1.1": ["issuanceDate", "expirationDate"] } as const;
/** The names of all versions: the context of VCDM 1.1 also defines those of 2.0, so all that are present count. */
export const [beginnings, ends] = [
  ["validFrom", "issuanceDate"],
  ["validUntil", "expirationDate"],
] as const;

/**
 * Returns what is wrong with the shape of a credential, in sentences; empty if nothing is (VCDM 2.0, section 4, or VCDM
 * 1.1 with its own names). Whether all terms are defined is found when it is expanded.
 */
export function credentialProblems(credential: JsonObject): string[] {
  const problems = new Problems();
  checkContexts(credential, problems);
  checkTypes(credential, "VerifiableCredential", problems);
  problems.url("/id", credential["id"]);
  checkLanguageValue("/name", credential["name"], problems);
  checkLanguageValue("/description", credential["description"], problems);
  checkIssuer(credential["issuer"], problems);
  checkSubject(credential["credentialSubject"], problems);
  checkValidity(credential, problems);
  for (const name of [
    "credentialStatus",
    "refreshService",
    "termsOfUse",
    "evidence",
    "confidenceMethod",
    "renderMethod",
  ])
    problems.typed(`/${name}`, credential[name]);
  problems.typed("/credentialSchema", credential["credentialSchema"], ({ id, digestSRI }, at) => {
    problems.url(`${at}/id`, id, { required: true });
    if (digestSRI !== undefined && !isSri(digestSRI, textOf(id) ?? ""))
      problems.add(`${at}/digestSRI`, "must be the digest of the resource, such as sha384-…");
  });
  problems.typed("/proof", credential["proof"]);
  checkRelatedResources(credential["relatedResource"], problems);
  return problems.found;
}

/** The identifier of an issuer or holder: the text itself, or the `id` of an object. */
export const idOf = (value: Json | undefined): string | undefined => textOf(isObject(value) ? value["id"] : value);

function checkIssuer(issuer: Json | undefined, problems: Problems): void {
  const place = isObject(issuer) ? "/issuer/id" : "/issuer";
  problems.url(place, isObject(issuer) ? issuer["id"] : issuer, { required: true });
  if (!isObject(issuer)) return;
  checkLanguageValue("/issuer/name", issuer["name"], problems);
  checkLanguageValue("/issuer/description", issuer["description"], problems);
}

function checkSubject(subject: Json | undefined, problems: Problems): void {
  if (subject === undefined) return problems.add("/credentialSubject", "is missing");
  problems.objects("/credentialSubject", subject, (each, at) => {
    if (Object.keys(each).length === 0) problems.add(at, "must say something about the subject");
  });
}

const wrongTime = "must be a date and time with a time zone, such as 2026-01-31T00:00:00Z";

function checkValidity(credential: JsonObject, problems: Problems): void {
  const version = versionOf(credential) ?? "2.0";
  const [from, until] = validityNames[version].map((name) => {
    const value = credential[name];
    if (value === undefined) {
      if (name === "issuanceDate") problems.add("/issuanceDate", "is missing");
      return undefined;
    }
    const time = timeOf(value);
    if (time === undefined) problems.add(`/${name}`, wrongTime);
    return time;
  });
  for (const name of [...beginnings, ...ends]) {
    if (
      credential[name] !== undefined &&
      timeOf(credential[name]) === undefined &&
      !(validityNames[version] as readonly string[]).includes(name)
    )
      problems.add(`/${name}`, wrongTime);
  }
  if (from !== undefined && until !== undefined && until < from)
    problems.add(`/${validityNames[version][1]}`, "must not be before the beginning");
}
