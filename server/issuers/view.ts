import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { didDocumentUrl, domainDid, domainDocumentUrl, issuerDid, verificationMethodOf } from "./did";
import { dnsProof } from "./domain/check-domain";
import { recipientIdentities, recipientIdentityMeaning, type RecipientIdentity } from "./recipient-identity";
import { keyKindNames, type IssuerKeyKind } from "./key-kinds";

/** A row of issuer_keys, without the private key. */
export interface IssuerKeyRow {
  id: Id<"iky">;
  kind: IssuerKeyKind;
  public_key: string;
  created_at: Date;
  /** When it began to sign; null for the next key. */
  activated_at: Date | null;
  retired_at: Date | null;
  /** When the key was revoked because somebody else had a copy; null for a trusted key. */
  revoked_at: Date | null;
}

export interface IssuerRow {
  slug: string;
  recipient_identity: RecipientIdentity;
  created_at: Date;
  /** The domain under which it signs, or wants to; null for none. */
  domain: {
    domain: string;
    challenge: string;
    problem: string | null;
    created_at: Date;
    checked_at: Date | null;
    activated_at: Date | null;
  } | null;
  keys: IssuerKeyRow[];
}

const keySchema = z
  .object({
    id: z.string(),
    object: z.literal("issuer_key"),
    kind: z.enum(keyKindNames).meta({ description: "ed25519: for Data Integrity proofs and vc+jwt." }),
    status: z.enum(["active", "next", "retired", "revoked"]).meta({
      description:
        "active: signs. next: signs after the next rotation, and is published already, so that verifiers know it by then. retired: signs nothing any more; what it signed stays valid. revoked: somebody else may have a copy, so nothing that it signed is valid any more.",
    }),
    verificationMethod: z.string().meta({ description: "The name of the key in proofs." }),
    publicKeyMultibase: z.string(),
    createdAt: z.iso.datetime(),
    activatedAt: z.iso.datetime().nullable().meta({ description: "When it began to sign." }),
    retiredAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "IssuerKey" });

const domainSchema = z
  .object({
    domain: z.string(),
    status: z
      .enum(["pending", "active"])
      .meta({ description: "pending: to be verified, nothing is signed under it. active: everything is." }),
    dnsName: z
      .string()
      .meta({ description: "The name that needs a TXT record, which proves that the domain is yours." }),
    dnsValue: z.string().meta({ description: "What the TXT record has to hold." }),
    didDocumentUrl: z.string().meta({
      description:
        "Where the domain has to serve the DID document: this service answers it for the Host of the domain.",
    }),
    problem: z.string().nullable().meta({ description: "What the last check found wrong; null for nothing." }),
    createdAt: z.iso.datetime(),
    checkedAt: z.iso.datetime().nullable(),
    activatedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "IssuerDomain" });

export const issuerSchema = z
  .object({
    id: z.string().meta({ description: "The organisation's id." }),
    object: z.literal("issuer"),
    did: z.string().meta({
      description: "The issuer's name in what is signed now: of its own domain once that is verified, else serviceDid.",
    }),
    serviceDid: z.string().meta({
      description:
        "Its name under the host of this service, which never changes. What was signed under it stays valid.",
    }),
    didDocumentUrl: z.string().meta({ description: "Where verifiers find the public keys." }),
    domain: domainSchema.nullable().meta({ description: "A domain of its own; null for none." }),
    keys: z.array(keySchema).meta({ description: "The active ones first, then the next ones, then the retired ones." }),
    recipientIdentity: z.enum(recipientIdentities).meta({ description: recipientIdentityMeaning }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Issuer" });

export function issuerView(
  orgId: Id<"org">,
  { slug, recipient_identity, created_at, domain, keys }: IssuerRow,
): z.output<typeof issuerSchema> {
  const active = domain?.activated_at ? domain.domain : null;
  const did = active === null ? issuerDid(slug) : domainDid(active);
  return {
    id: publicId("org", orgId),
    object: "issuer",
    did,
    serviceDid: issuerDid(slug),
    didDocumentUrl: active === null ? didDocumentUrl(slug) : domainDocumentUrl(active),
    domain: domain && {
      domain: domain.domain,
      status: domain.activated_at ? "active" : "pending",
      ...dnsProof(domain),
      didDocumentUrl: domainDocumentUrl(domain.domain),
      problem: domain.problem,
      createdAt: domain.created_at.toISOString(),
      checkedAt: domain.checked_at?.toISOString() ?? null,
      activatedAt: domain.activated_at?.toISOString() ?? null,
    },
    keys: keys.map((key) => ({
      id: publicId("iky", key.id),
      object: "issuer_key",
      kind: key.kind,
      status: key.revoked_at ? "revoked" : key.retired_at ? "retired" : key.activated_at ? "active" : "next",
      verificationMethod: verificationMethodOf(did, key.public_key),
      publicKeyMultibase: key.public_key,
      createdAt: key.created_at.toISOString(),
      activatedAt: key.activated_at?.toISOString() ?? null,
      retiredAt: key.retired_at?.toISOString() ?? null,
      revokedAt: key.revoked_at?.toISOString() ?? null,
    })),
    recipientIdentity: recipient_identity,
    createdAt: created_at.toISOString(),
  };
}

/** Computes the ETag of an issuer. */
export const issuerTag = (view: z.output<typeof issuerSchema>): string => entityTag(view, []);
