import { presentable } from "@/server/core/deceptive-text";
import { isObject, listOf, textOf, type Json, type JsonObject } from "@/server/standards/json";
import { idOf } from "@/server/standards/vcdm/validate-credential";
import { domainOf } from "@/server/standards/verify/check-issuer-identity";
import { isOver } from "@/server/standards/verify/check-validity";
import type { CredentialVerification } from "@/server/standards/verify/verify-credential";
import type { Decision } from "./decide";
import { unverifiable } from "./reasons";
import { externalKind, type Verification } from "./view";

const longest = 2_000;
/** The first and the last instant of RFC 3339 that any calendar reads. Earlier and later times are clamped to them. */
const [first, last] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
const instant = (time: Date | null) => time && new Date(Math.min(Math.max(time.getTime(), first), last)).toISOString();

/**
 * Presents the verification of another issuer's credential in the shape of our own. Its texts are the issuer's claims,
 * each cut to 2,000 characters.
 */
export function foreignView(
  { document = {}, validity, checks }: CredentialVerification,
  decision: Decision,
  now: Date,
): Verification {
  const isSigned = checks.some(({ name, outcome }) => name === "signature" && outcome === "pass");
  const revoked = checks.find(({ reason }) => reason === "revoked");
  const { result, reason } = decision;
  return presentable<Verification>({
    object: "verification",
    result,
    state: isSigned ? stateOf(decision, validity, now) : "unknown",
    reason,
    reasonText: result === "valid" ? null : wordsOf(decision),
    checks: decision.checks.map(({ name, outcome, detail }) => ({ name, outcome, detail })),
    checkedAt: now.toISOString(),
    credential: {
      code: "",
      kind: externalKind,
      title: titleOf(document),
      issuer: issuerOf(document, isSigned),
      subject: { displayName: subjectName(document), erased: false, withheld: false, hidden: false },
      fields: fieldsOf(document).map(([key, label, value]) => ({
        key,
        label,
        value: value.slice(0, longest),
        format: "text" as const,
      })),
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
  const general =
    reason !== null && reason in unverifiable ? `${unverifiable[reason as keyof typeof unverifiable]} ` : "";
  return `${general}${decisive?.detail ?? ""}`.trim().slice(0, longest);
}

function titleOf(document: JsonObject): string {
  const types = listOf(document["type"]).filter(
    (type): type is string => typeof type === "string" && type !== "VerifiableCredential",
  );
  return (wordOf(document["name"]) ?? wordOf(achievementOf(document)["name"]) ?? types.at(-1) ?? "Credential").slice(
    0,
    longest,
  );
}

function issuerOf({ issuer }: JsonObject, isSigned: boolean): Verification["credential"]["issuer"] {
  const id = idOf(issuer) ?? "";
  const domain = domainOf(id);
  const name = (isObject(issuer) ? wordOf(issuer["name"]) : undefined) ?? domain ?? id;
  return {
    name: name.slice(0, longest),
    slug: "",
    nameVerified: false,
    did: id === "" ? null : id.slice(0, longest),
    domain,
    domainVerified: domain !== null && isSigned,
    registries: [],
    timeZone: "UTC",
    locale: "en-GB",
  };
}

function subjectName(document: JsonObject): string {
  const subject = subjectOf(document);
  const named = listOf(subject["identifier"]).find(
    (each): each is JsonObject => isObject(each) && each["hashed"] !== true && each["identityType"] === "name",
  );
  return (wordOf(subject["name"]) ?? textOf(named?.["identityHash"]) ?? "").slice(0, longest);
}

function fieldsOf(document: JsonObject): [key: string, label: string, value: string][] {
  const achievement = achievementOf(document);
  const criteria = isObject(achievement["criteria"]) ? achievement["criteria"] : {};
  const found: [string, string, string | undefined][] = [
    ["description", "Description", wordOf(document["description"]) ?? wordOf(achievement["description"])],
    ["achievement", "Achievement", wordOf(achievement["name"])],
    ["criteria", "Criteria", textOf(criteria["narrative"]) ?? textOf(criteria["id"])],
    ["subjectId", "Holder's id", textOf(subjectOf(document)["id"])],
    ["id", "Credential id", textOf(document["id"])],
  ];
  const told = new Set([titleOf(document)]);
  return found.flatMap(([key, label, value]) =>
    value === undefined || told.has(value) ? [] : [[key, label, value] as [string, string, string]],
  );
}

const subjectOf = (document: JsonObject): JsonObject => listOf(document["credentialSubject"]).find(isObject) ?? {};

function achievementOf(document: JsonObject): JsonObject {
  return listOf(subjectOf(document)["achievement"]).find(isObject) ?? {};
}

/** The text of a value; the first one if it is given in several languages. */
function wordOf(value: Json | undefined): string | undefined {
  const [first] = listOf(value);
  return textOf(isObject(first) ? first["@value"] : first);
}
