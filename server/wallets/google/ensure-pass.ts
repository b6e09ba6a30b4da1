import type { Ctx, TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { transaction } from "@/server/core/transaction";
import { loadPassFacts } from "../load-pass-facts";
import { provisionChannel } from "../pass-channel";
import { GoogleApi } from "./api";
import { insertPass } from "./insert-pass";
import { noteGoogleProblem } from "./note-problem";
import { googlePassColumns, newObjectId, type GooglePassRow } from "./pass-row";
import { passObject, stateWordOf } from "./pass-object";
import { picturesProblem } from "./send-content";
import type { GoogleService } from "./service";
import type { PassIssuer } from "./settings";

/**
 * Returns the pass of a credential; creates it at Google if it does not exist there. The row is committed before the
 * content of the pass is loaded, so that each change of the credential after that content queues an update. Emits
 * credential.channel.provisioned for a new pass. Concurrent calls create one pass.
 *
 * @throws DomainError unavailable if Google does not accept the pass
 */
export async function ensureGooglePass(
  ctx: Omit<Ctx, "tx">,
  credential: { id: Id<"crd">; code: string },
  issuer: PassIssuer,
  service: GoogleService,
): Promise<GooglePassRow> {
  const row = await transaction((tx) => findOrInsert({ ...ctx, tx }, credential.id, issuer.issuerId));
  if (row.made_at) return row;
  const facts = await loadPassFacts(credential.code, ctx.now);
  const api = new GoogleApi(service, issuer);
  const { result, lacksPictures } = await insertPass(api, ctx.orgId, row.object_id, passObject(facts));
  if (lacksPictures) await noteGoogleProblem(ctx.orgId, picturesProblem());
  if (result !== "done" && result !== "exists") {
    await noteGoogleProblem(ctx.orgId, typeof result === "string" ? "Google did not accept a new pass." : result.words);
    throw new DomainError(
      "unavailable",
      "Google Wallet does not accept the pass at the moment. Try again later. Admins can see the cause under Settings, Wallets.",
      { headers: { "retry-after": "60" } },
    );
  }
  await transaction((tx) =>
    recordCreated({ ...ctx, tx }, row, { isKnown: result === "exists", told: stateWordOf(facts) }),
  );
  return row;
}

async function findOrInsert(ctx: TxCtx, credentialId: Id<"crd">, issuerId: string): Promise<GooglePassRow> {
  const find = () =>
    ctx.tx.sql<GooglePassRow>(
      `SELECT ${googlePassColumns} FROM google_passes p
       WHERE p.org_id = $1 AND p.credential_id = $2 AND p.object_id LIKE $3::text || '.%'`,
      [ctx.orgId, credentialId, issuerId],
    );
  const [present] = await find();
  if (present) return present;
  // A pass of another issuer is replaced by a new one: a service account can only change passes of its own issuer.
  const [made] = await ctx.tx.sql<GooglePassRow>(
    `INSERT INTO google_passes AS p (org_id, credential_id, object_id, told, notified_at, state, next_attempt_at, wanted_at, created_at)
     VALUES ($1, $2, $3, '', '{}', 'idle', $4, $4, $4)
     ON CONFLICT (org_id, credential_id) DO UPDATE SET object_id = excluded.object_id, made_at = NULL, told = '', notified_at = '{}',
       state = 'idle', claim_id = NULL, lease_until = NULL WHERE p.object_id NOT LIKE $5::text || '.%'
     RETURNING ${googlePassColumns}`,
    [ctx.orgId, credentialId, newObjectId(issuerId), ctx.now, issuerId],
  );
  return made ?? (await find())[0]!;
}

/** @param isKnown Google had the pass already. Its content there may be old, so an update is queued. */
async function recordCreated(
  ctx: TxCtx,
  row: GooglePassRow,
  { isKnown, told }: { isKnown: boolean; told: string },
): Promise<void> {
  const [made] = await ctx.tx.sql(
    `UPDATE google_passes SET made_at = $4, told = CASE WHEN told = '' THEN $5 ELSE told END,
       state = CASE WHEN $6 THEN 'pending' ELSE state END, revision = revision + CASE WHEN $6 THEN 1 ELSE 0 END
     WHERE org_id = $1 AND credential_id = $2 AND object_id = $3 AND made_at IS NULL RETURNING 1`,
    [ctx.orgId, row.credential_id, row.object_id, ctx.now, told, isKnown],
  );
  if (!made) return;
  if (isKnown) ctx.tx.nudgeAfterCommit("wallets");
  await provisionChannel(ctx, row.credential_id, "google_wallet");
}
