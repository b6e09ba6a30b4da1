import type { Region } from "@/server/core/dates";
import type { Id } from "@/server/core/ids";
import type { CredentialState } from "@/server/credentials/states";
import type { DesignField } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";

/** All that a verification by code decides on and may tell. What it may not tell is not in it. */
export interface CredentialEvidence {
  org_id: Id<"org">;
  id: Id<"crd">;
  subject_id: Id<"sub">;
  code: string;
  kind: TemplateKind;
  /** As last written: see effectiveState. */
  state: CredentialState;
  valid_from: Date;
  issued_at: Date | null;
  expires_at: Date | null;
  suspended_at: Date | null;
  suspension_reason: string | null;
  revoked_at: Date | null;
  revocation_reason: string | null;
  superseded_by: Id<"crd"> | null;
  /** The code of the newer credential, only where the public may know it: see withoutLaterChanges. */
  newer_code: string | null;
  title: string;
  template_version_id: Id<"tpv">;
  issuer_name: string;
  issuer_slug: string;
  time_zone: string;
  locale: string;
  /** Empty where the holder was erased, where the name is withheld, and where the template keeps it private. */
  display_name: string;
  /** Whether the template keeps the holder's name from the public. */
  is_name_private: boolean;
  /** When the holder's name last changed; null while it is the first one. */
  name_at: Date | null;
  /** Whether no name is told because it changed after the credential ended. */
  is_name_withheld: boolean;
  /** When the holder was erased. */
  erased_at: Date | null;
  /**
   * When the photo that anyone may see was set: there is one, the template makes it public, it was approved where that
   * is asked, and the credential has not ended. Null for none.
   */
  photo_at: Date | null;
  /** The fields of the design that anyone may see; null where there are none, and then `source` is null too. */
  public_fields: DesignField[] | null;
  source: FieldSource | null;
}

/** What fields read. Of an academic credential it is the snapshot of its issue. */
export interface FieldSource {
  subject: { displayName: string; email?: string | null; externalId?: string; status?: string };
  attributes: Record<string, unknown>;
  data: Record<string, unknown>;
}

/** How the issuer writes dates. */
export function regionOf({ time_zone, locale }: CredentialEvidence): Region {
  return { timeZone: time_zone, locale };
}
