import { z } from "zod";
import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { encrypt } from "@/server/core/secrets";
import { readCertificates } from "./read-certificates";
import { readPrivateKey } from "./read-private-key";
import { appleKeyBoundTo } from "./sealed";
import { appleSettingsTag, appleSettingsView, findSettings, settingsColumns, type SettingsRow } from "./settings";

const sent = z.string().trim().min(1, "must not be empty").max(20_000);

/**
 * Sets the certificate with which the organisation's passes are signed. The key is stored encrypted and never returned.
 * Pass type and team are read from the certificate. Messages that waited for a certificate are sent now. Leaves an audit
 * entry.
 *
 * @throws DomainError invalid_request with an issue for each wrong field; passes_issued for another pass type
 */
export const setAppleSettings = command({
  name: "wallets.apple.set",
  scope: "settings:write",
  input: z.strictObject({
    certificate: sent.meta({
      description: "The certificate of the Pass Type ID: PEM, or base64 of the .cer file that Apple provides.",
    }),
    privateKey: sent.meta({
      description:
        "The key of the certificate request: PEM, or base64 of a .p12 file, such as Keychain Access exports. Never returned.",
    }),
    passphrase: z
      .string()
      .max(1000)
      .optional()
      .meta({ description: "The passphrase of privateKey, if it is encrypted. A .p12 file nearly always is." }),
    wwdr: sent.meta({
      description: "Apple's intermediate certificate (Worldwide Developer Relations) that signed the certificate.",
    }),
    ifMatch,
  }),
  tag: appleSettingsTag,
  standing: standingOf,
  prepare: (ctx, input) => readPrivateKey(ctx.orgId, input),
  async run(ctx, input, key) {
    const before = await findSettings(ctx.tx.sql, ctx.orgId, "FOR UPDATE");
    requireMatch(input.ifMatch, appleSettingsTag(appleSettingsView(before, ctx.now)));
    const read = readCertificates({ ...input, key }, ctx.now);
    if (Array.isArray(read)) throw invalidInput(read);
    if (before && before.pass_type_id !== read.passTypeId) throw anotherPassType(before.pass_type_id);
    const [row] = await ctx.tx.sql<SettingsRow>(
      `INSERT INTO apple_wallet_settings (org_id, pass_type_id, team_id, certificate, private_key, wwdr, certificate_expires_at, wwdr_expires_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
       ON CONFLICT (org_id) DO UPDATE SET team_id = excluded.team_id, certificate = excluded.certificate, private_key = excluded.private_key, wwdr = excluded.wwdr,
         certificate_expires_at = excluded.certificate_expires_at, wwdr_expires_at = excluded.wwdr_expires_at, problem = NULL, updated_at = excluded.updated_at
       WHERE apple_wallet_settings.pass_type_id = excluded.pass_type_id
       RETURNING ${settingsColumns}`,
      [
        ctx.orgId,
        read.passTypeId,
        read.teamId,
        read.certificate,
        Buffer.from(encrypt(read.privateKey, appleKeyBoundTo(ctx.orgId))),
        read.wwdr,
        read.certificateExpiresAt,
        read.wwdrExpiresAt,
        ctx.now,
      ],
    );
    // A concurrent request set another pass type.
    if (!row) throw anotherPassType("another pass type");
    // Send messages that waited for a working certificate now.
    await ctx.tx.sql(
      `UPDATE apple_devices SET attempts = 0, next_attempt_at = $2 WHERE org_id = $1 AND state = 'pending' AND next_attempt_at > $2`,
      [ctx.orgId, ctx.now],
    );
    ctx.tx.nudgeAfterCommit("wallets");
    await audit(
      ctx,
      "wallet.apple_configured",
      { type: "organisation", id: publicId("org", ctx.orgId) },
      { passTypeId: read.passTypeId, teamId: read.teamId, expiresAt: read.certificateExpiresAt.toISOString() },
    );
    return appleSettingsView(row, ctx.now);
  },
});

const anotherPassType = (before: string) =>
  new DomainError(
    "passes_issued",
    `The passes on phones belong to ${before}, and this certificate is for another pass type. Remove the settings first. The passes that are on phones already will then no longer be updated.`,
  );
