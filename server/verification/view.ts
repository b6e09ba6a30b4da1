import { z } from "zod";
import { formatCode } from "@/server/credentials/code";
import { credentialStates, effectiveState, type CredentialState } from "@/server/credentials/states";
import { issuedAt, photoUrl } from "@/server/credentials/view";
import { fieldFormats } from "@/server/templates/design";
import { templateKinds, type TemplateKind } from "@/server/templates/view";
import type { Decision } from "./decide";
import type { CredentialEvidence } from "./evidence";
import { awardedField, publicFieldsOf, type PublicField } from "./public-fields";
import type { Listing } from "./registries";
import { isSameName } from "./registry-check";
import { reasons, reasonText } from "./reasons";

const time = z.iso.datetime();

/**
 * The kind of a credential that this service did not issue. Properties that only our own credentials have are empty
 * texts.
 */
export const externalKind = "external";

export const verificationSchema = z
  .object({
    object: z.literal("verification"),
    result: z
      .enum(["valid", "invalid", "indeterminate"])
      .meta({ description: "indeterminate where something could not be checked." }),
    state: z.enum([...credentialStates, "unknown"]).meta({
      description:
        "unknown for a credential that was sent as a document and whose signature or status could not be established.",
    }),
    reason: z.enum(reasons).nullable().meta({ description: "Null where the credential is valid." }),
    reasonText: z.string().nullable().meta({ description: "The reason in words for people." }),
    checks: z.array(
      z.object({
        name: z.string(),
        outcome: z.enum(["pass", "fail", "error", "skipped"]),
        detail: z.string(),
      }),
    ),
    checkedAt: time,
    credential: z.object({
      code: z.string().meta({ description: "Empty for a credential of another issuer." }),
      kind: z
        .enum([...templateKinds, externalKind])
        .meta({ description: "external for a credential of another issuer." }),
      title: z.string(),
      issuer: z.object({
        name: z.string(),
        slug: z.string().meta({ description: "Empty for an issuer that is no organisation of this service." }),
        nameVerified: z.boolean().meta({
          description:
            "False where the issuer alone says that this is its name: the operator of this service has not confirmed it, and no registry lists the issuer under it.",
        }),
        did: z
          .string()
          .nullable()
          .meta({ description: "The DID or https URL under which the issuer's keys were found." }),
        domain: z.string().nullable().meta({
          description:
            "The domain whose owner controls these keys: of a did:web without a path, or an https URL that is the domain or below its /.well-known. Null for an issuer at any other path, who need not speak for the domain; then did says where the keys were found.",
        }),
        domainVerified: z
          .boolean()
          .meta({ description: "Whether the keys were found at that domain and the signature fits them." }),
        registries: z
          .array(
            z.object({
              name: z.string().meta({ description: "The name of the registry." }),
              status: z.enum(["listed", "not_listed", "unavailable"]),
              issuerName: z
                .string()
                .nullable()
                .meta({ description: "Under which name the registry lists the issuer; null unless it does." }),
              readAt: time.nullable().meta({
                description: "When this service read the registry; null where it could not within the last day.",
              }),
            }),
          )
          .meta({
            description:
              "What each registry of issuers says that the operator of this service trusts for names. Empty where none is configured, and where no key of the issuer is known to have signed.",
          }),
        timeZone: z.string().meta({ description: "The IANA time zone in which the issuer's days begin and end." }),
        locale: z.string().meta({ description: "The BCP 47 locale in which the issuer writes dates." }),
      }),
      subject: z.object({
        displayName: z.string().meta({
          description:
            "Empty where the holder was erased, where the name is withheld or hidden, and where none is recorded.",
        }),
        photoUrl: z.string().optional().meta({
          description:
            "Where the holder's photo is, as JPEG or WebP, if the template makes it public, there is one and the credential has not ended. v changes with the photo. For 90 × 120 pixels, replace 3x by 1x, for 180 × 240 by 2x.",
        }),
        erased: z
          .boolean()
          .meta({ description: "Whether the holder asked for erasure. Then the credential names nobody." }),
        withheld: z.boolean().meta({
          description:
            "Whether the name is not shown because it changed after the credential ended. What has ended shows no photo either, and no field that reads the holder's record.",
        }),
        hidden: z.boolean().meta({
          description: "Whether the template keeps the holder's name from the public (publicName: false).",
        }),
      }),
      fields: z
        .array(
          z.object({
            key: z.string(),
            label: z.string(),
            value: z.unknown(),
            format: z.enum([...fieldFormats, "markdown"]).meta({
              description:
                "How value is displayed. markdown for evidence, and for the criteria that a document states.",
            }),
          }),
        )
        .meta({
          description:
            "What else the template makes public, and awardedDate for the day of an award that is not the day of validFrom. Of a credential that was sent as a document or file, also what the document states: description, achievement, fieldOfStudy, specialization, humanCode, result.1 and so on, creditsEarned, awardedDate, criteria, evidence.1 and so on; with document. before the key where the credential was issued here.",
        }),
      validFrom: time.meta({
        description:
          "When it becomes or became valid. issuedAt is when it was issued. 0001-01-01T00:00:00.000Z for a credential of another issuer that names no beginning.",
      }),
      issuedAt: time.nullable(),
      expiresAt: time.nullable().meta({
        description:
          "An exclusive instant. People read the last day before it, in the issuer's time zone. Of a credential of another issuer, the instant that it names: its validUntil is included (VCDM 2.0), the exp of its token is not (RFC 7519).",
      }),
      revokedAt: time.nullable(),
      revocationReason: z.string().nullable(),
      supersededBy: z
        .string()
        .nullable()
        .meta({ description: "The code of the newer credential, if its reissue asked to link to it." }),
    }),
  })
  .meta({ id: "Verification" });

export type Verification = z.infer<typeof verificationSchema>;

/** A verification of a credential that this service holds. */
export type OwnVerification = Verification & {
  state: CredentialState;
  credential: { kind: TemplateKind; fields: PublicField[] };
};

/** The public view of a credential: what its template makes public, and nothing else (contract section 8). */
export function verificationView(
  evidence: CredentialEvidence,
  { result, reason, checks }: Decision,
  listings: Listing[],
  now: Date,
): OwnVerification {
  const state = effectiveState(evidence, now);
  return {
    object: "verification",
    result,
    state,
    reason,
    reasonText: reason && reasonText(reason, evidence),
    checks: checks.map(({ name, outcome, detail }) => ({ name, outcome, detail })),
    checkedAt: now.toISOString(),
    credential: {
      code: formatCode(evidence.code),
      kind: evidence.kind,
      title: evidence.title,
      issuer: {
        name: evidence.issuer_name,
        slug: evidence.issuer_slug,
        nameVerified: evidence.is_issuer_name_confirmed || isListedAs(listings, evidence.issuer_name),
        did: null,
        domain: evidence.issuer_domain,
        domainVerified: evidence.issuer_domain !== null,
        registries: registriesView(listings),
        timeZone: evidence.time_zone,
        locale: evidence.locale,
      },
      subject: {
        displayName: evidence.display_name,
        ...(evidence.photo_at && { photoUrl: photoUrl(evidence.code, evidence.photo_at) }),
        erased: evidence.erased_at !== null,
        withheld: evidence.is_name_withheld,
        hidden: evidence.is_name_private,
      },
      fields: [...publicFieldsOf(evidence, state, now), ...awardedField(evidence)],
      validFrom: evidence.valid_from.toISOString(),
      issuedAt: iso(issuedAt(evidence, now)),
      expiresAt: iso(evidence.expires_at),
      revokedAt: iso(evidence.revoked_at),
      revocationReason: evidence.revocation_reason,
      supersededBy: evidence.newer_code && formatCode(evidence.newer_code),
    },
  };
}

/** Whether a registry lists an issuer under this name. */
const isListedAs = (listings: Listing[], name: string): boolean =>
  listings.some(({ issuerName }) => issuerName !== null && isSameName(issuerName, name));

/** What registries say of an issuer, for an answer. */
export const registriesView = (listings: Listing[]): Verification["credential"]["issuer"]["registries"] =>
  listings.map(({ readAt, ...listing }) => ({ ...listing, readAt: iso(readAt) }));

const iso = (time: Date | null) => time?.toISOString() ?? null;
