import type { Region } from "@/server/core/dates";
import { presentable } from "@/server/core/deceptive-text";
import { localeIn, type Language } from "@/server/core/languages";
import { isObject, listOf, textOf, type Json, type JsonObject } from "@/server/standards/json";
import { idOf } from "@/server/standards/vcdm/validate-credential";
import { domainOf } from "@/server/standards/verify/check-issuer-identity";
import { isOver, validityOf } from "@/server/standards/verify/check-validity";
import { unsignedWords } from "@/server/standards/verify/unsigned";
import type { CredentialVerification } from "@/server/standards/verify/verify-credential";
import type { Check } from "./checks";
import type { Decision } from "./decide";
import { unverifiable } from "./reasons";
import { refusedAllTheSame } from "./refused-all-the-same";
import { documentFields } from "./document-fields";
import { longestText, subjectsOf, titleOf, wordOf } from "./document-parts";
import type { Listing } from "./registries";
import { withRegistries } from "./registry-check";
import { externalKind, registriesView, type Verification } from "./view";

/** The first and the last instant of RFC 3339 that any calendar reads. Earlier and later times are clamped to them. */
const [first, last] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
const instant = (time: Date | null) => time && new Date(Math.min(Math.max(time.getTime(), first), last)).toISOString();

/**
 * Presents the verification of another issuer's credential in the shape of our own. Its texts are the issuer's claims,
 * each cut to 2,000 characters. Where the signature does not fit, or its key was revoked, they are nobody's claims, and left out: holder, title,
 * dates, the issuer's name and all fields. The issuer's id stays, since it says whose signature was expected.
 */
export function foreignView(
  { document: stated = {}, validity: statedValidity, checks }: CredentialVerification,
  decision: Decision,
  listings: Listing[],
  now: Date,
  language: Language = "en",
): Verification {
  const region = { ...foreignRegion, locale: localeIn(language, foreignRegion.locale) };
  const isSigned = checks.some(({ name, outcome }) => name === "signature" && outcome === "pass");
  const isForged = checks.some(({ name, outcome }) => ["signature", "key"].includes(name) && outcome === "fail");
  const document: JsonObject = isForged ? { issuer: idOf(stated["issuer"]) ?? null } : stated;
  const validity = isForged ? validityOf({}) : statedValidity;
  const revoked = checks.find(({ reason }) => reason === "revoked");
  const { result, reason } = decision;
  return presentable<Verification>({
    object: "verification",
    result,
    state: isSigned ? stateOf(decision, validity, now) : "unknown",
    reason,
    reasonText: result === "valid" ? null : wordsOf(decision),
    checks: [
      ...withRegistries(decision.checks, listings, statedIssuer(document), region),
      ...holderCheck(document, isSigned),
      ...contentCheck(document, isSigned),
    ].map(({ name, outcome, detail }) =>
      isForged && name === "validity_period" ? undated : { name, outcome, detail },
    ),
    checkedAt: now.toISOString(),
    credential: {
      code: "",
      kind: externalKind,
      title: titleOf(document),
      issuer: issuerOf(document, isSigned, listings, region),
      subject: { displayName: subjectName(document), erased: false, withheld: false, hidden: false },
      fields: documentFields(document),
      // Null would break clients that were generated from the document (decision 253).
      validFrom: instant(validity.from) ?? new Date(first).toISOString(),
      issuedAt: validity.from && validity.from <= now ? instant(validity.from) : null,
      expiresAt: instant(validity.until),
      revokedAt: null,
      revocationReason: revoked ? (/: (.+)$/.exec(revoked.detail)?.[1] ?? null) : null,
      supersededBy: null,
    },
  });
}

/** Dates that a forger may have written are neither told nor judged. */
const undated: Verification["checks"][number] = {
  name: "validity_period",
  outcome: "skipped",
  detail: "Not looked at, since who issued it is not certain.",
};

function stateOf({ checks }: Decision, validity: CredentialVerification["validity"], now: Date): Verification["state"] {
  const has = (reason: string) => checks.some((check) => check.reason === reason);
  if (has("revoked")) return "revoked";
  if (isOver(validity, now)) return "expired";
  if (has("suspended")) return "suspended";
  if (has("status_unavailable")) return "unknown";
  return validity.from && validity.from > now ? "pending" : "active";
}

/** The detail of the check that decided, which says more than the reason's general text. */
function wordsOf({ reason, checks }: Decision): string {
  const decisive =
    checks.find((check) => reason !== null && check.reason === reason) ??
    checks.find(({ outcome }) => outcome === "fail" || outcome === "error");
  if (decisive?.name === "key")
    return `${decisive.detail} The file alone proves nothing any more. Ask its holder for the page or the code of the credential, or for a new file.`;
  const isSigned = checks.some(({ name, outcome }) => name === "signature" && outcome === "pass");
  const detail = decisive?.detail ?? "";
  // That detail says what the general text says, and why; or the general text, that the signature does not fit, is untrue.
  const saysAll =
    reason === "signature_invalid" &&
    (detail === unsignedWords ||
      detail.startsWith("The signature does not fit") ||
      Object.values(refusedAllTheSame).includes(detail));
  const general =
    reason === "malformed" && isSigned
      ? "Its signature holds, but it breaks the rules of its format, so nobody can say for certain what it states. "
      : reason !== null && !saysAll && reason in unverifiable
        ? `${unverifiable[reason as keyof typeof unverifiable]} `
        : "";
  return `${general}${detail}`.trim().slice(0, longestText);
}

/** A foreign document states no time zone and no date format: dates are in UTC, in the reader's language. */
const foreignRegion = { timeZone: "UTC", locale: "en-GB" };

/** What the issuer calls itself or, where it gives no name, its domain or id. */
function statedIssuer({ issuer }: JsonObject): string {
  const id = idOf(issuer) ?? "";
  const name = (isObject(issuer) ? wordOf(issuer["name"]) : undefined) ?? domainOf(id) ?? id;
  return name.slice(0, longestText);
}

/** The name of the first registry that lists the issuer comes before the one that it gives itself. */
function issuerOf(
  document: JsonObject,
  isSigned: boolean,
  listings: Listing[],
  region: Region,
): Verification["credential"]["issuer"] {
  const id = idOf(document["issuer"]) ?? "";
  const domain = domainOf(id);
  const listed = listings.find(({ status }) => status === "listed");
  return {
    name: listed?.issuerName ?? statedIssuer(document),
    slug: "",
    nameVerified: listed !== undefined,
    did: id === "" ? null : id.slice(0, longestText),
    domain,
    domainVerified: domain !== null && isSigned,
    registries: registriesView(listings),
    ...region,
  };
}

/** The kinds of identifiers of a person in Open Badges, in the order in which people recognise each other by them. */
const identityTypes: Json[] = ["name", "emailAddress", "userName"];

/** The identifiers of a subject that are not hashed, the most recognisable first. */
function plainIdentifiers(subject: JsonObject): JsonObject[] {
  const rank = (each: JsonObject) => [...identityTypes, each["identityType"]].indexOf(each["identityType"]);
  const text = (each: JsonObject) => wordOf(each["identityHash"]) ?? "";
  return (
    identifiersOf(subject)
      // The text "true" is the same value in a graph.
      .filter((each) => String(each["hashed"]) !== "true" && text(each) !== "")
      // A graph has no order.
      .toSorted((a, b) => rank(a) - rank(b) || (text(a) < text(b) ? -1 : 1))
  );
}

const identifiersOf = (subject: JsonObject): JsonObject[] => listOf(subject["identifier"]).filter(isObject);

function nameOf(subject: JsonObject): string | undefined {
  return wordOf(subject["name"]) ?? wordOf(plainIdentifiers(subject)[0]?.["identityHash"]);
}

/** The name of the subject. If there are several subjects, all their names, since the credential holds for each. */
function subjectName(document: JsonObject): string {
  const names = subjectsOf(document).flatMap((subject) => nameOf(subject) ?? []);
  return [...new Set(names)].join(", ").slice(0, longestText);
}

const listTypes = ["BitstringStatusListCredential", "StatusList2021Credential"];

/**
 * Explains why the holder was not compared: a hashed identifier, no name, or several subjects of which one is shown.
 */
function holderCheck(document: JsonObject, isSigned: boolean): Check[] {
  const subjects = subjectsOf(document);
  if (!isSigned) return [];
  const types = listOf(document["type"]);
  if (listTypes.some((type) => types.includes(type)))
    return [
      {
        name: "holder",
        outcome: "skipped",
        detail:
          "This is a list in which an issuer says which of its credentials are revoked or suspended. It is nobody's credential, and says nothing for whoever handed it in.",
      },
    ];
  const skipped = (detail: string): Check => ({ name: "holder", outcome: "skipped", detail });
  if (subjects.length > 1)
    return [
      skipped(
        `It is about ${subjects.length} subjects. Not all that it says is shown here: the facts are those of the first.`,
      ),
    ];
  const subject = subjects[0] ?? {};
  if (nameOf(subject) !== undefined) return [];
  return [
    skipped(
      identifiersOf(subject).length > 0
        ? "Its holder is named by a scrambled (hashed) identifier alone, so nobody was compared with it. Ask who handed it in to prove that it is theirs."
        : idOf(subject) === undefined
          ? "It names no holder, so nobody was compared with it."
          : "It names its holder by an id alone, so nobody was compared with it. Ask who handed it in to prove that the id is theirs.",
    ),
  ];
}

/** Says that a document states more than an answer has room for: one title, one achievement. */
function contentCheck(document: JsonObject, isSigned: boolean): Check[] {
  if (!isSigned) return [];
  const achievements = listOf(subjectsOf(document)[0]?.["achievement"]);
  const several = [
    achievements.length > 1 && `${achievements.length} achievements`,
    ...[document["name"], ...achievements.filter(isObject).map(({ name }) => name)].map(
      (name) => hasSeveral(name) && `${listOf(name).length} names of one thing`,
    ),
  ].filter((each) => each !== false);
  if (several.length === 0) return [];
  const detail = `It states ${[...new Set(several)].join(" and ")}. Not all that it says is shown here: only the first is. Read the document itself before you rely on the others.`;
  return [{ name: "content", outcome: "skipped", detail }];
}

/** Whether a text is given several times. In several languages it is one text. */
function hasSeveral(text: Json | undefined): boolean {
  const languages = listOf(text).map((each) => (isObject(each) ? textOf(each["@language"]) : undefined) ?? "");
  return new Set(languages).size < languages.length;
}
