import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import { didDocumentUrl, issuerDid, verificationMethodOf } from "./did";
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
  /** When somebody else was found to have a copy; null for a key that is trusted. */
  revoked_at: Date | null;
}

export interface IssuerRow {
  slug: string;
  recipient_identity: RecipientIdentity;
  created_at: Date;
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

export const issuerSchema = z
  .object({
    id: z.string().meta({ description: "The organisation's id." }),
    object: z.literal("issuer"),
    did: z.string().meta({ description: "The issuer's name in credentials. It never changes." }),
    didDocumentUrl: z.string().meta({ description: "Where verifiers find the public keys." }),
    keys: z.array(keySchema).meta({ description: "The active ones first, then the next ones, then the retired ones." }),
    recipientIdentity: z.enum(recipientIdentities).meta({ description: recipientIdentityMeaning }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Issuer" });

export function issuerView(
  orgId: Id<"org">,
  { slug, recipient_identity, created_at, keys }: IssuerRow,
): z.output<typeof issuerSchema> {
  const did = issuerDid(slug);
  return {
    id: publicId("org", orgId),
    object: "issuer",
    did,
    didDocumentUrl: didDocumentUrl(slug),
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
