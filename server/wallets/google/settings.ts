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
    configured: z
      .boolean()
      .meta({ description: "Whether the organisation has entered a service account for Google Wallet." }),
    issuerId: z.string().nullable().meta({ description: "The issuer id that Google assigned to the organisation." }),
    clientEmail: z
      .string()
      .nullable()
      .meta({ description: "The address of the service account that creates and updates the passes." }),
    keyId: z
      .string()
      .nullable()
      .meta({ description: "The id of the service account's key, as Google Cloud shows it." }),
    problem: z.string().nullable().meta({
      description: "Why passes can't be updated, as a sentence for people. Null if there is no problem.",
    }),
    updatedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "GoogleWalletSettings" });

export type GoogleSettingsView = z.infer<typeof googleSettingsSchema>;

/** The settings as the API returns them, without secrets. */
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

/** The service account with which an organisation creates its passes. */
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
    "The organisation has no service account for Google Wallet. An admin can enter one under Settings, Wallets.",
  );
}

export const issuerOf = (orgId: Id<"org">, row: GoogleSettingsRow): PassIssuer => ({
  issuerId: row.issuer_id,
  clientEmail: row.client_email,
  keyId: row.key_id,
  privateKey: decrypt(row.private_key, googleKeyBoundTo(orgId)),
});
