import { z } from "zod";
import { audit } from "@/server/access/audit";
import { standingOf } from "@/server/access/standing";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command, requireScope } from "@/server/core/operation";
import { nextRun } from "@/server/core/schedule";
import { sealSecret } from "./http/secret";
import {
  bringsFiles,
  connectorFields,
  fetchFields,
  parseSettings,
  raises,
  requireFitting,
  requireSameDirection,
  requireSameServer,
  requireSecret,
} from "./input";
import { loadConnector } from "./load";
import { requirePgpType, sealPgpKey } from "./pgp/key";
import { withTimeZone } from "./with-time-zone";
import { connectorColumns, connectorStatuses, connectorTag, connectorView, type ConnectorRow } from "./view";

/**
 * Changes a connector. Queued and running runs keep the mapping and limits with which they were queued. Raising a limit
 * requires connectors:approve, because it permits deactivations that would otherwise need approval. Leaves an audit entry
 * if anything changes.
 */
export const updateConnector = command({
  name: "connectors.update",
  scope: "connectors:write",
  input: z.strictObject({
    id: id("con"),
    ifMatch,
    ...z.object({ ...connectorFields, ...fetchFields }).partial().shape,
    status: z.enum(connectorStatuses).optional(),
  }),
  tag: connectorTag,
  standing: standingOf,
  // Opening a key takes a moment, so it is done before the transaction.
  prepare: async (ctx, { id: connectorId, pgpKey }) => (pgpKey ? sealPgpKey(connectorId, pgpKey, ctx.now) : null),
  async run(ctx, { id: connectorId, ifMatch: wanted, ...sent }, sealed) {
    const before = await loadConnector(ctx, connectorId, "FOR UPDATE");
    requireMatch(wanted, connectorTag(connectorView(before)));
    if (sent.limits && raises(before.limits, sent.limits)) requireScope(ctx, "connectors:approve");
    const settings = sent.settings === undefined ? before.settings : parseSettings(before.type, sent.settings);
    const schedule = sent.schedule === undefined ? before.schedule : await withTimeZone(ctx, sent.schedule);
    const { secret, pgpKey, ...others } = sent;
    if (pgpKey) requirePgpType(before.type);
    const next = { ...before, ...others, settings, schedule };
    requireSameDirection(before.settings, settings);
    const hasSecret = secret === undefined ? before.secret_at !== null : secret !== null;
    requireFitting(before.type, { ...next, hasSecret });
    if (secret) requireSecret(before.type, settings, secret);
    if (secret === undefined && hasSecret) requireSameServer(before.settings, settings);
    if (bringsFiles(settings, before.settings)) requireScope(ctx, "connectors:run");
    const isResumed = before.status === "paused" && next.status === "active";
    const [row] = await ctx.tx.sql<ConnectorRow>(
      `UPDATE connectors SET name = $3, settings = $4, mapping = $5, mode = $6, missing = $7, adopt = $8, limits = $9, priority = $10, status = $11, updated_at = $12,
         next_run_at = CASE WHEN $15 OR schedule IS DISTINCT FROM $13::jsonb THEN $14::timestamptz ELSE next_run_at END, schedule = $13::jsonb,
         secret = CASE WHEN $16 THEN $17::bytea ELSE secret END, secret_at = CASE WHEN $16 THEN CASE WHEN $17::bytea IS NOT NULL THEN $12::timestamptz END ELSE secret_at END,
         pgp_key = CASE WHEN $18 THEN $19::bytea ELSE pgp_key END, pgp = CASE WHEN $18 THEN $20::jsonb ELSE pgp END
       WHERE org_id = $1 AND id = $2
         AND ((name, settings, mapping, mode, missing, adopt, limits, priority, status, schedule)
           IS DISTINCT FROM ($3, $4::jsonb, $5::jsonb, $6, $7, $8, $9::jsonb, $10::int, $11, $13::jsonb) OR $17::bytea IS NOT NULL OR ($16 AND secret IS NOT NULL)
           OR $19::bytea IS NOT NULL OR ($18 AND pgp_key IS NOT NULL))
       RETURNING ${connectorColumns}`,
      [
        ctx.orgId,
        before.id,
        next.name,
        next.settings,
        next.mapping,
        next.mode,
        next.missing,
        next.adopt,
        next.limits,
        next.priority,
        next.status,
        ctx.now,
        schedule,
        nextRun(schedule, ctx.now),
        isResumed,
        secret !== undefined,
        secret ? sealSecret(before.id, secret) : null,
        pgpKey !== undefined,
        sealed?.sealed ?? null,
        sealed?.pgp ?? null,
      ],
    );
    if (!row) return connectorView(before);
    await audit(
      ctx,
      "connector.updated",
      { type: "connector", id: publicId("con", row.id) },
      { fields: Object.keys(sent), status: row.status, missing: row.missing },
    );
    return connectorView(row);
  },
});
