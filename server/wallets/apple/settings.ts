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

export const settingsColumns =
  "pass_type_id, team_id, certificate, private_key, wwdr, certificate_expires_at, wwdr_expires_at, problem, updated_at";

const time = z.iso.datetime();

export const appleSettingsSchema = z
  .object({
    object: z.literal("apple_wallet_settings"),
    configured: z.boolean().meta({ description: "Whether passes for Apple Wallet can be made." }),
    passTypeId: z.string().nullable(),
    teamId: z.string().nullable(),
    certificateExpiresAt: time.nullable(),
    wwdrExpiresAt: time.nullable().meta({ description: "When Apple's intermediate certificate ends." }),
    problem: z.string().nullable().meta({
      description: "What keeps passes from being added or updated, in words for people. Null where all is well.",
    }),
    updatedAt: time.nullable(),
  })
  .meta({ id: "AppleWalletSettings" });

export type AppleSettingsView = z.infer<typeof appleSettingsSchema>;

/** The settings without what is secret. */
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
  if (row.certificate_expires_at <= now) return "The certificate has expired. Enter a new one of the same pass type.";
  if (row.wwdr_expires_at <= now) return "Apple's intermediate certificate has expired. Enter the new one.";
  if (!env().PUBLIC_URL.startsWith("https://"))
    return "This service has no https address (PUBLIC_URL). Phones can open passes, and never update them.";
  return row.problem;
}

export async function findSettings(sql: Query, orgId: Id<"org">, lock = ""): Promise<SettingsRow | undefined> {
  const [row] = await sql<SettingsRow>(
    `SELECT ${settingsColumns} FROM apple_wallet_settings WHERE org_id = $1 ${lock}`,
    [orgId],
  );
  return row;
}

/** What signs the passes of an organisation, and tells its phones. */
export interface PassIdentity {
  passTypeId: string;
  teamId: string;
  /** PEM, all three. */
  certificate: string;
  privateKey: string;
  wwdr: string;
}

/** @throws DomainError wallet_not_configured, also where the certificate has expired */
export async function requireIdentity(sql: Query, orgId: Id<"org">, now: Date): Promise<PassIdentity> {
  const row = await findSettings(sql, orgId);
  if (!row || row.certificate_expires_at <= now || row.wwdr_expires_at <= now) throw notConfigured(row !== undefined);
  return identityOf(orgId, row);
}

export const identityOf = (
  orgId: Id<"org">,
  row: Pick<SettingsRow, "pass_type_id" | "team_id" | "certificate" | "private_key" | "wwdr">,
): PassIdentity => ({
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
      ? "The organisation's certificate for Apple Wallet has expired. An admin enters a new one under Settings, Wallets."
      : "The organisation has no certificate for Apple Wallet. An admin enters it under Settings, Wallets.",
  );
