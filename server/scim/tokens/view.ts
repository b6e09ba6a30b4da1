import { z } from "zod";
import type { ConnectorKey } from "@/server/access/connector-keys";
import { publicId } from "@/server/core/ids";

export const connectorTokenSchema = z
  .object({
    id: z.string(),
    object: z.literal("connector_token"),
    connectorId: z.string(),
    lastFour: z.string(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "ConnectorToken" });

export const newConnectorTokenSchema = connectorTokenSchema
  .extend({ secret: z.string().meta({ description: "Shown once. It is stored as a hash." }) })
  .meta({ id: "NewConnectorToken" });

export function connectorTokenView(row: ConnectorKey): z.output<typeof connectorTokenSchema> {
  return {
    id: publicId("key", row.id),
    object: "connector_token",
    connectorId: publicId("con", row.connector_id),
    lastFour: row.last_four,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
  };
}
