import { z } from "zod";
import { audit } from "@/server/access/audit";
import { ifMatch, requireMatch } from "@/server/core/entity-tag";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { connectorFields, parseSettings, requireFitting } from "./input";
import { loadConnector } from "./load";
import { connectorColumns, connectorStatuses, connectorTag, connectorView, type ConnectorRow } from "./view";

/**
 * Changes a connector. A run that is under way keeps the mapping and limits with which it was queued. Leaves an audit
 * entry; nothing where nothing changes.
 */
export const updateConnector = command({
  name: "connectors.update",
  scope: "connectors:write",
  input: z.strictObject({
    id: id("con"),
    ifMatch,
    ...z.object(connectorFields).partial().shape,
    status: z.enum(connectorStatuses).optional(),
  }),
  tag: connectorTag,
  async run(ctx, { id: connectorId, ifMatch: wanted, ...sent }) {
    const before = await loadConnector(ctx, connectorId, "FOR UPDATE");
    requireMatch(wanted, connectorTag(connectorView(before)));
    const settings = sent.settings === undefined ? before.settings : parseSettings(before.type, sent.settings);
    const next = { ...before, ...sent, settings };
    requireFitting(before.type, next);
    const [row] = await ctx.tx.sql<ConnectorRow>(
      `UPDATE connectors SET name = $3, settings = $4, mapping = $5, mode = $6, missing = $7, adopt = $8, limits = $9, priority = $10, status = $11, updated_at = $12
       WHERE org_id = $1 AND id = $2
         AND (name, settings, mapping, mode, missing, adopt, limits, priority, status) IS DISTINCT FROM ($3, $4::jsonb, $5::jsonb, $6, $7, $8, $9::jsonb, $10::int, $11)
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
