import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { publicId, type Id } from "@/server/core/ids";
import type { Schedule } from "@/server/core/schedule";
import { pgpSchema, type Pgp } from "./pgp/key";
import { connectorFields, connectorType } from "./input";

/** A row of `connectors`. */
export interface ConnectorRow {
  id: Id<"con">;
  name: string;
  type: z.output<typeof connectorType>;
  settings: Record<string, unknown>;
  mapping: z.output<typeof connectorFields.mapping>;
  mode: "full" | "delta";
  missing: "keep" | "deactivate";
  adopt: z.output<typeof connectorFields.adopt>;
  limits: z.output<typeof connectorFields.limits>;
  priority: number;
  status: "active" | "paused";
  last_full_at: Date | null;
  schedule: Schedule | null;
  next_run_at: Date | null;
  secret_at: Date | null;
  pgp: Pgp | null;
  /** Whether this is the SCIM connection for tokens that belong to no connection. */
  is_default: boolean;
  created_at: Date;
  updated_at: Date;
}

export const connectorColumns =
  "id, name, type, settings, mapping, mode, missing, adopt, limits, priority, status, last_full_at, schedule, next_run_at, secret_at, pgp, is_default, created_at, updated_at";

export const connectorStatuses = ["active", "paused"] as const;

export const connectorSchema = z
  .object({
    id: z.string(),
    object: z.literal("connector"),
    ...connectorFields,
    name: z.string(),
    type: connectorType,
    status: z.enum(connectorStatuses).meta({
      description: "A paused connector accepts and fetches no files. It still counts as a source of its people.",
    }),
    lastFullRunAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When a full file was last applied, or came again unchanged." }),
    schedule: z
      .object({ cron: z.string(), timeZone: z.string() })
      .nullable()
      .meta({ description: "When the source is fetched; for connectors that fetch." }),
    nextRunAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the schedule starts the next run; null without a schedule or while paused." }),
    secretSetAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When its secret was last set; null without one. The secret itself is never returned." }),
    pgp: pgpSchema.nullable().meta({
      description:
        "The OpenPGP key to which files may be encrypted; null without one. Its private part is never returned.",
    }),
    isDefault: z.boolean().meta({
      description:
        "For a SCIM connection: whether keys with the scope scim that belong to no connection use this connection.",
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Connector" });
export type ConnectorView = z.output<typeof connectorSchema>;

export function connectorView(row: ConnectorRow): ConnectorView {
  return {
    id: publicId("con", row.id),
    object: "connector",
    name: row.name,
    type: row.type,
    status: row.status,
    mapping: row.mapping,
    settings: row.settings,
    mode: row.mode,
    missing: row.missing,
    adopt: row.adopt,
    limits: row.limits,
    priority: row.priority,
    lastFullRunAt: row.last_full_at?.toISOString() ?? null,
    schedule: row.schedule,
    nextRunAt: row.status === "paused" ? null : (row.next_run_at?.toISOString() ?? null),
    secretSetAt: row.secret_at?.toISOString() ?? null,
    pgp: row.pgp,
    isDefault: row.is_default,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export const connectorTag = (view: ConnectorView): string =>
  entityTag(view, ["updatedAt", "lastFullRunAt", "nextRunAt"]);
