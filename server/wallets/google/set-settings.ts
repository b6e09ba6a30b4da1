import { z } from "zod";
import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import type { TxCtx } from "@/server/core/context";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { invalidInput } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { encrypt } from "@/server/core/secrets";
import { accessToken } from "./access-token";
import { GoogleApi } from "./api";
import { putClass } from "./pass-class";
import { readServiceAccount } from "./read-service-account";
import { googleKeyBoundTo } from "./sealed";
import { googleService } from "./service";
import {
  findGoogleSettings,
  googleSettingsColumns,
  googleSettingsTag,
  googleSettingsView,
  type GoogleSettingsRow,
  type PassIssuer,
} from "./settings";

/**
 * Sets the service account that creates and updates the organisation's passes. The key is stored encrypted and never
 * returned. The account is tried first: Google must grant it a token and accept the class of the organisation's passes.
 * Updates that waited for an account are sent now. Leaves an audit entry.
 *
 * @throws DomainError invalid_request with an issue for each wrong field; passes_issued for another issuer; unavailable if
 *   Google cannot be reached
 */
export const setGoogleSettings = command({
  name: "wallets.google.set",
  scope: "settings:write",
  input: z.strictObject({
    issuerId: z
      .string()
      .trim()
      .regex(/^\d{5,20}$/, "must be the number that the Google Pay & Wallet Console shows as Issuer ID")
      .meta({ description: "The Issuer ID that the Google Pay & Wallet Console shows." }),
    serviceAccount: z.string().trim().min(1, "must not be empty").max(20_000).meta({
      description: "The content of the JSON key file of a service account in Google Cloud. Never returned.",
    }),
    ifMatch,
  }),
  tag: googleSettingsTag,
  standing: standingOf,
  async prepare(ctx, { issuerId, serviceAccount }): Promise<PassIssuer> {
    const read = readServiceAccount(serviceAccount);
    if (Array.isArray(read)) throw invalidInput(read);
    const issuer = { issuerId, ...read };
    await tryAtGoogle(ctx.orgId, issuer);
    return issuer;
  },
  async run(ctx, input, issuer) {
    const before = await findGoogleSettings(ctx.tx.sql, ctx.orgId, "FOR UPDATE");
    requireMatch(input.ifMatch, googleSettingsTag(googleSettingsView(before)));
    const row = await store(ctx, issuer);
    // Send updates that waited for a working key now.
    await ctx.tx.sql(
      `UPDATE google_passes SET attempts = 0, next_attempt_at = $2 WHERE org_id = $1 AND state = 'pending' AND next_attempt_at > $2`,
      [ctx.orgId, ctx.now],
    );
    ctx.tx.nudgeAfterCommit("wallets");
    await audit(
      ctx,
      "wallet.google_configured",
      { type: "organisation", id: publicId("org", ctx.orgId) },
      { issuerId: issuer.issuerId, clientEmail: issuer.clientEmail, keyId: issuer.keyId },
    );
    return googleSettingsView(row);
  },
});

async function store(ctx: TxCtx, issuer: PassIssuer): Promise<GoogleSettingsRow> {
  const [row] = await ctx.tx.sql<GoogleSettingsRow>(
    `INSERT INTO google_wallet_settings AS s (org_id, issuer_id, client_email, key_id, private_key, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (org_id) DO UPDATE SET client_email = excluded.client_email, key_id = excluded.key_id, private_key = excluded.private_key,
       problem = NULL, updated_at = excluded.updated_at WHERE s.issuer_id = excluded.issuer_id
     RETURNING ${googleSettingsColumns}`,
    [
      ctx.orgId,
      issuer.issuerId,
      issuer.clientEmail,
      issuer.keyId,
      Buffer.from(encrypt(issuer.privateKey, googleKeyBoundTo(ctx.orgId))),
      ctx.now,
    ],
  );
  if (row) return row;
  throw new DomainError(
    "passes_issued",
    "The passes on phones belong to another issuer. Remove the settings first. The passes that are on phones already will then no longer be updated.",
  );
}

/** @throws DomainError invalid_request, unavailable */
async function tryAtGoogle(orgId: Id<"org">, issuer: PassIssuer): Promise<void> {
  const service = googleService();
  const token = await accessToken(service, issuer);
  const result = "token" in token ? await putClass(new GoogleApi(service, issuer), orgId) : token;
  if (result === "done") return;
  const failure = typeof result === "string" ? { words: `Google answered ${result}.`, isRefusal: false } : result;
  if (!failure.isRefusal)
    throw new DomainError("unavailable", `The settings could not be checked. ${failure.words} Try again later.`);
  const pointer = "token" in token ? "/issuerId" : "/serviceAccount";
  throw invalidInput([{ pointer, code: "invalid_value", message: `was refused. ${failure.words}` }]);
}
