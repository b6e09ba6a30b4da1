import { z } from "zod";
import { audit } from "@/server/access/audit";
import { DomainError } from "@/server/core/errors";
import { newId, publicId } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { invalidInput } from "@/server/core/input";
import { connectorFields, connectorType, parseSettings, requireFitting } from "./input";
import { usualScimMapping } from "./scim-mapping";
import { connectorColumns, connectorTag, connectorView, type ConnectorRow } from "./view";

const maxConnectors = 200;

/** Makes a connector: a feed of people with its mapping (contract section 11). Leaves an audit entry. */
export const createConnector = command({
  name: "connectors.create",
  scope: "connectors:write",
  input: z.strictObject({
    name: connectorFields.name,
    type: connectorType,
    mapping: connectorFields.mapping.optional().meta({
      description: "Required for csv. A connector of type scim has one that fits most directories.",
    }),
    settings: connectorFields.settings.optional(),
    mode: connectorFields.mode.optional(),
    missing: connectorFields.missing.default("keep"),
    adopt: connectorFields.adopt.default("externalId"),
    limits: connectorFields.limits.default({ deactivations: 10, deactivationPercent: 10 }),
    priority: connectorFields.priority.default(100),
  }),
  tag: connectorTag,
  async run(ctx, input) {
    const [count] = await ctx.tx.sql<{ n: number }>(
      `SELECT count(*) AS n FROM connectors WHERE org_id = $1 AND deleted_at IS NULL`,
      [ctx.orgId],
    );
    if (count!.n >= maxConnectors)
      throw new DomainError("conflict", `An organisation has at most ${maxConnectors} connectors. Delete one first.`);
    const settings = parseSettings(input.type, input.settings ?? {});
    const mapping = input.mapping ?? (input.type === "scim" ? usualScimMapping : undefined);
    if (!mapping) throw invalidInput([{ pointer: "/mapping", code: "invalid_type", message: "is required" }]);
    const mode = input.mode ?? (input.type === "scim" ? "delta" : "full");
    requireFitting(input.type, { ...input, mapping, mode });
    const [row] = await ctx.tx.sql<ConnectorRow>(
      `INSERT INTO connectors (org_id, id, name, type, settings, mapping, mode, missing, adopt, limits, priority, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) RETURNING ${connectorColumns}`,
      [
        ctx.orgId,
        newId("con"),
        input.name,
        input.type,
        settings,
        mapping,
        mode,
        input.missing,
        input.adopt,
        input.limits,
        input.priority,
        ctx.now,
      ],
    );
    const { name, type, missing, adopt } = row!;
    await audit(
      ctx,
      "connector.created",
      { type: "connector", id: publicId("con", row!.id) },
      { name, type, mode, missing, adopt },
    );
    return connectorView(row!);
  },
});
