import type { Region } from "@/server/core/dates";
import type { Id } from "@/server/core/ids";
import { domainDid, issuerDid } from "@/server/issuers/did";
import type { CredentialState } from "@/server/credentials/states";
import type { DesignField } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";

/** Everything that a verification by code decides on and may show. It contains nothing that is not public. */
export interface CredentialEvidence {
  org_id: Id<"org">;
  id: Id<"crd">;
  subject_id: Id<"sub">;
  code: string;
  kind: TemplateKind;
  /** The stored state: see effectiveState. */
  state: CredentialState;
  valid_from: Date;
  issued_at: Date | null;
  expires_at: Date | null;
  /** `awardedDate` of an academic credential's data; null for none, and once the holder was erased. */
  awarded_date: string | null;
  suspended_at: Date | null;
  suspension_reason: string | null;
  revoked_at: Date | null;
  revocation_reason: string | null;
  superseded_by: Id<"crd"> | null;
  /** The code of the newer credential; null if the public may not know it: see withoutLaterChanges. */
  newer_code: string | null;
  title: string;
  template_version_id: Id<"tpv">;
  /** The index in the status lists; null unless the template asks for a signed QR code. */
  status_index: number | null;
  issuer_name: string;
  /** Whether the operator of the service confirmed the issuer's name. */
  is_issuer_name_confirmed: boolean;
  issuer_slug: string;
  /** The domain that the issuer proved to be its own, and signs under; null for none. */
  issuer_domain: string | null;
  time_zone: string;
  locale: string;
  /** Empty if the holder was erased, the name is withheld, or the template keeps it private. */
  display_name: string;
  /** Whether the template hides the holder's name from the public. */
  is_name_private: boolean;
  /** When the holder's name last changed; null while it is the first one. */
  name_at: Date | null;
  /** Whether the name is left out because it changed after the credential ended. */
  is_name_withheld: boolean;
  /** When the holder was erased. */
  erased_at: Date | null;
  /**
   * When the public photo was set. A photo is public if the template makes it public, it was approved (if the template
   * asks for approval) and the credential has not ended. Null without a public photo.
   */
  photo_at: Date | null;
  /** The fields of the design that anyone may see; null if there are none, and then `source` is null too. */
  public_fields: DesignField[] | null;
  source: FieldSource | null;
}

/** The data that fields read. For an academic credential it is the snapshot of its issue. */
export interface FieldSource {
  subject: { displayName: string; email?: string | null; externalId?: string; status?: string };
  attributes: Record<string, unknown>;
  data: Record<string, unknown>;
}

/** The DIDs of the issuer: that of its own domain, if it signs under one, and that under the host of this service. */
export const ownDids = ({ issuer_slug, issuer_domain }: CredentialEvidence): string[] => [
  ...(issuer_domain === null ? [] : [domainDid(issuer_domain)]),
  issuerDid(issuer_slug),
];

/** How the issuer writes dates. */
export function regionOf({ time_zone, locale }: CredentialEvidence): Region {
  return { timeZone: time_zone, locale };
}
