import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import type { Query } from "@/server/core/db";
import { decrypt } from "@/server/core/secrets";
import { appleKeyBoundTo } from "./sealed";

/** A row of apple_wallet_settings, as raw SQL returns it. */
export interface SettingsRow {
  pass_type_id: string;
  team_id: string;
  certificate: string;
  private_key: Uint8Array;
  wwdr: string;
  certificate_expires_at: Date;
  wwdr_expires_at: Date;
  problem: string | null;
  updated_at: Date;
}

/** What of the settings signs and authenticates. */
export type IdentityRow = Pick<SettingsRow, "pass_type_id" | "team_id" | "certificate" | "private_key" | "wwdr">;

export const settingsColumns =
  "pass_type_id, team_id, certificate, private_key, wwdr, certificate_expires_at, wwdr_expires_at, problem, updated_at";

const time = z.iso.datetime();

export const appleSettingsSchema = z
  .object({
    object: z.literal("apple_wallet_settings"),
    configured: z
      .boolean()
      .meta({ description: "Whether the organisation has entered a certificate for Apple Wallet." }),
    passTypeId: z.string().nullable(),
    teamId: z.string().nullable(),
    certificateExpiresAt: time.nullable(),
    wwdrExpiresAt: time.nullable().meta({ description: "When Apple's intermediate certificate expires." }),
    problem: z.string().nullable().meta({
      description: "Why passes can't be added or updated, as a sentence for people. Null if there is no problem.",
    }),
    updatedAt: time.nullable(),
  })
  .meta({ id: "AppleWalletSettings" });

export type AppleSettingsView = z.infer<typeof appleSettingsSchema>;

/** The settings as the API returns them, without secrets. */
export function appleSettingsView(row: SettingsRow | undefined, now: Date): AppleSettingsView {
  return {
    object: "apple_wallet_settings",
    configured: row !== undefined,
    passTypeId: row?.pass_type_id ?? null,
    teamId: row?.team_id ?? null,
    certificateExpiresAt: row?.certificate_expires_at.toISOString() ?? null,
    wwdrExpiresAt: row?.wwdr_expires_at.toISOString() ?? null,
    problem: row ? problemOf(row, now) : null,
    updatedAt: row?.updated_at.toISOString() ?? null,
  };
}

export const appleSettingsTag = (view: AppleSettingsView): string => entityTag(view, ["problem"]);

function problemOf(row: SettingsRow, now: Date): string | null {
  if (row.certificate_expires_at <= now)
    return "The certificate has expired. Enter a new certificate of the same pass type.";
  if (row.wwdr_expires_at <= now) return "Apple's intermediate certificate has expired. Enter the new one.";
  if (!env().PUBLIC_URL.startsWith("https://"))
    return "This service has no https address (PUBLIC_URL). Phones can open passes but never update them.";
  return row.problem;
}

export async function findSettings(sql: Query, orgId: Id<"org">, lock = ""): Promise<SettingsRow | undefined> {
  const [row] = await sql<SettingsRow>(
    `SELECT ${settingsColumns} FROM apple_wallet_settings WHERE org_id = $1 ${lock}`,
    [orgId],
  );
  return row;
}

/** The certificates and key with which an organisation signs passes and authenticates at Apple's push service. */
export interface PassIdentity {
  passTypeId: string;
  teamId: string;
  /** The certificate, the key and the intermediate certificate are PEM. */
  certificate: string;
  privateKey: string;
  wwdr: string;
}

/** @throws DomainError wallet_not_configured, also if a certificate has expired */
export async function requireIdentity(sql: Query, orgId: Id<"org">, now: Date): Promise<PassIdentity> {
  const row = await findSettings(sql, orgId);
  if (!row || row.certificate_expires_at <= now || row.wwdr_expires_at <= now) throw notConfigured(row !== undefined);
  return identityOf(orgId, row);
}

export const identityOf = (orgId: Id<"org">, row: IdentityRow): PassIdentity => ({
  passTypeId: row.pass_type_id,
  teamId: row.team_id,
  certificate: row.certificate,
  privateKey: decrypt(row.private_key, appleKeyBoundTo(orgId)),
  wwdr: row.wwdr,
});

const notConfigured = (isExpired: boolean) =>
  new DomainError(
    "wallet_not_configured",
    isExpired
      ? "The organisation's certificate for Apple Wallet has expired. An admin can enter a new one under Settings, Wallets."
      : "The organisation has no certificate for Apple Wallet. An admin can enter one under Settings, Wallets.",
  );
