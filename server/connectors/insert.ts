import { z } from "zod";
import { audit } from "@/server/access/audit";
import { randomBase62 } from "@/server/access/token-format";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { requireScope } from "@/server/core/operation";
import { invalidInput } from "@/server/core/input";
import { nextRun } from "@/server/core/schedule";
import { sealSecret } from "./http/secret";
import {
  bringsFiles,
  connectorFields,
  connectorType,
  fetchFields,
  parseSettings,
  raises,
  requireFitting,
  requireSecret,
  defaultLimits,
} from "./input";
import type { sealPgpKey } from "./pgp/key";
import { withTimeZone } from "./with-time-zone";
import { defaultScimMapping } from "./scim-mapping";
import { connectorColumns, connectorView, type ConnectorRow } from "./view";

const maxConnectors = 200;

/** Creates the user name with which a sender signs in to our SFTP server. It is not secret. */
const newSftpUser = () => `files-${randomBase62(10).toLowerCase()}`;

export const newConnector = z.strictObject({
  name: connectorFields.name,
  type: connectorType,
  mapping: connectorFields.mapping.optional().meta({
    description: "Required unless type is scim, which has a default mapping that fits most directories.",
  }),
  settings: connectorFields.settings.optional(),
  mode: connectorFields.mode.optional(),
  missing: connectorFields.missing.default("keep"),
  adopt: connectorFields.adopt.default("externalId"),
  limits: connectorFields.limits.default(defaultLimits),
  priority: connectorFields.priority.default(100),
  schedule: fetchFields.schedule.default(null),
  secret: fetchFields.secret.default(null),
  pgpKey: fetchFields.pgpKey.default(null),
});

/** The id of a new connector, and its PGP key, encrypted for that id. */
interface Prepared {
  id: Id<"con">;
  sealed: Awaited<ReturnType<typeof sealPgpKey>> | null;
}

/**
 * Inserts a connector and leaves an audit entry.
 * @throws DomainError limit_reached beyond the limit of connectors; invalid_request; insufficient_scope
 */
export async function insertConnector(ctx: TxCtx, input: z.output<typeof newConnector>, { id, sealed }: Prepared) {
  const [count] = await ctx.tx.sql<{ n: number }>(
    `SELECT count(*) AS n FROM connectors WHERE org_id = $1 AND deleted_at IS NULL`,
    [ctx.orgId],
  );
  if (count!.n >= maxConnectors)
    throw new DomainError(
      "limit_reached",
      `An organisation has at most ${maxConnectors} connectors. Delete one first.`,
    );
  if (raises(defaultLimits, input.limits)) requireScope(ctx, "connectors:approve");
  const settings = parseSettings(input.type, input.settings ?? {});
  const mapping = input.mapping ?? (input.type === "scim" ? defaultScimMapping : undefined);
  if (!mapping) throw invalidInput([{ pointer: "/mapping", code: "invalid_type", message: "is required" }]);
  const mode = input.mode ?? (input.type === "scim" ? "delta" : "full");
  const schedule = await withTimeZone(ctx, input.schedule);
  requireFitting(input.type, { ...input, mapping, mode, settings, hasSecret: input.secret !== null });
  if (input.secret !== null) requireSecret(input.type, settings, input.secret);
  if (bringsFiles(settings)) requireScope(ctx, "connectors:run");
  const [row] = await ctx.tx.sql<ConnectorRow>(
    `INSERT INTO connectors (org_id, id, name, type, settings, mapping, mode, missing, adopt, limits, priority, schedule, next_run_at, secret, secret_at, sftp_user, pgp_key, pgp, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::bytea, CASE WHEN $14::bytea IS NOT NULL THEN $15::timestamptz END, $16, $17, $18, $15, $15) RETURNING ${connectorColumns}`,
    [
      ctx.orgId,
      id,
      input.name,
      input.type,
      settings,
      mapping,
      mode,
      input.missing,
      input.adopt,
      input.limits,
      input.priority,
      schedule,
      nextRun(schedule, ctx.now),
      input.secret === null ? null : sealSecret(id, input.secret),
      ctx.now,
      settings["direction"] === "receive" ? newSftpUser() : null,
      sealed?.sealed ?? null,
      sealed?.pgp ?? null,
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
}
