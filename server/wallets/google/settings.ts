import { z } from "zod";
import type { Query } from "@/server/core/db";
import { entityTag } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { decrypt } from "@/server/core/secrets";
import { googleKeyBoundTo } from "./sealed";

/** A row of google_wallet_settings, as raw SQL returns it. */
export interface GoogleSettingsRow {
  issuer_id: string;
  client_email: string;
  key_id: string;
  private_key: Uint8Array;
  problem: string | null;
  updated_at: Date;
}

export const googleSettingsColumns = "issuer_id, client_email, key_id, private_key, problem, updated_at";

export const googleSettingsSchema = z
  .object({
    object: z.literal("google_wallet_settings"),
    configured: z.boolean().meta({ description: "Whether passes for Google Wallet can be made." }),
    issuerId: z.string().nullable().meta({ description: "The number that Google gave the organisation." }),
    clientEmail: z.string().nullable().meta({ description: "The service account that makes and updates the passes." }),
    keyId: z.string().nullable().meta({ description: "The name of its key, as Google Cloud shows it." }),
    problem: z.string().nullable().meta({
      description: "What keeps passes from being updated, in words for people. Null where all is well.",
    }),
    updatedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "GoogleWalletSettings" });

export type GoogleSettingsView = z.infer<typeof googleSettingsSchema>;

/** The settings without what is secret. */
export function googleSettingsView(row: GoogleSettingsRow | undefined): GoogleSettingsView {
  return {
    object: "google_wallet_settings",
    configured: row !== undefined,
    issuerId: row?.issuer_id ?? null,
    clientEmail: row?.client_email ?? null,
    keyId: row?.key_id ?? null,
    problem: row?.problem ?? null,
    updatedAt: row?.updated_at.toISOString() ?? null,
  };
}

export const googleSettingsTag = (view: GoogleSettingsView): string => entityTag(view, ["problem"]);

export async function findGoogleSettings(
  sql: Query,
  orgId: Id<"org">,
  lock = "",
): Promise<GoogleSettingsRow | undefined> {
  const [row] = await sql<GoogleSettingsRow>(
    `SELECT ${googleSettingsColumns} FROM google_wallet_settings WHERE org_id = $1 ${lock}`,
    [orgId],
  );
  return row;
}

/** The service account with which an organisation makes its passes. */
export interface PassIssuer {
  issuerId: string;
  clientEmail: string;
  keyId: string;
  /** PEM. */
  privateKey: string;
}

/** @throws DomainError wallet_not_configured */
export async function requireIssuer(sql: Query, orgId: Id<"org">): Promise<PassIssuer> {
  const row = await findGoogleSettings(sql, orgId);
  if (row) return issuerOf(orgId, row);
  throw new DomainError(
    "wallet_not_configured",
    "The organisation has no service account for Google Wallet. An admin enters it under Settings, Wallets.",
  );
}

export const issuerOf = (orgId: Id<"org">, row: GoogleSettingsRow): PassIssuer => ({
  issuerId: row.issuer_id,
  clientEmail: row.client_email,
  keyId: row.key_id,
  privateKey: decrypt(row.private_key, googleKeyBoundTo(orgId)),
});
