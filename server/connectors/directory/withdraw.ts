import { isDeepStrictEqual } from "node:util";
import { fieldsOf, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import type { ConnectorRow } from "../view";
import type { Fields } from "@/server/scim/protocol/values";
import { isEmpty, leaveOut, valuesOf, write, type Changes } from "./changes";
import { mapBefore, type MappedBefore } from "./map-user";

interface OtherSource {
  mapping: Mapping;
  /** What a directory wrote last; null for a file. */
  resource: Fields | null;
}

/**
 * Decides what happens to the fields that a directory withdraws (docs/decisions/524). If another directory gives the
 * field a value, that value is written. If a file maps the field, or another source wrote another value since, the
 * field stays unchanged. Otherwise it is emptied.
 */
export async function fillWithdrawnFields(
  ctx: TxCtx,
  connection: ConnectorRow,
  subjectId: Id<"sub">,
  was: MappedBefore,
  { fields, withdrawn }: Changes,
): Promise<void> {
  if (withdrawn.length === 0) return;
  const [others, here] = await Promise.all([
    otherSources(ctx, connection, subjectId),
    valuesHere(ctx, subjectId, withdrawn),
  ]);
  const said = valuesOf(connection.mapping, was);
  for (const field of withdrawn) {
    const other = valueOf(others, field);
    if (other && "value" in other) write(fields, field, other.value);
    else if (other || (said.has(field) && !isDeepStrictEqual(here.get(field), said.get(field))))
      leaveOut(fields, field);
  }
}

/** Returns what the first of these sources that states the field says; `{}` for a file, whose values are not known. */
function valueOf(others: OtherSource[], field: FieldName): { value?: unknown } | null {
  for (const { mapping, resource } of others) {
    if (!fieldsOf(mapping).some(([name]) => name === field)) continue;
    if (!resource) return {};
    const value = valuesOf(mapping, mapBefore(mapping, resource)).get(field);
    if (!isEmpty(value)) return { value };
  }
  return null;
}

/**
 * The other live sources with a mapping, in the order of precedence. The default connection is left out, since it
 * repeats what it found here.
 */
const otherSources = (ctx: TxCtx, connection: ConnectorRow, subjectId: Id<"sub">) =>
  ctx.tx.sql<OtherSource>(
    `SELECT c.mapping, u.resource
     FROM (SELECT source_id, type FROM subject_sources WHERE org_id = $1 AND subject_id = $2 AND source_id <> $3 AND missing_since IS NULL OFFSET 0) o
     CROSS JOIN LATERAL (
       SELECT mapping, priority FROM connectors WHERE org_id = $1 AND id = o.source_id AND deleted_at IS NULL AND NOT is_default OFFSET 0
     ) c
     LEFT JOIN LATERAL (
       SELECT resource, updated_at FROM scim_users WHERE org_id = $1 AND connector_id = o.source_id AND subject_id = $2 OFFSET 0
     ) u ON true
     WHERE o.type = 'connector' OR u.resource IS NOT NULL
     ORDER BY c.priority, u.updated_at DESC NULLS LAST, o.source_id`,
    [ctx.orgId, subjectId, connection.id],
  );

async function valuesHere(ctx: TxCtx, subjectId: Id<"sub">, asked: FieldName[]): Promise<Map<FieldName, unknown>> {
  const [row] = await ctx.tx.sql<{ displayName: string; email: string | null; attributes: Record<string, unknown> }>(
    `SELECT display_name AS "displayName", email, attributes FROM subjects WHERE org_id = $1 AND id = $2`,
    [ctx.orgId, subjectId],
  );
  const { attributes = {}, ...top } = row ?? {};
  const all = new Map<FieldName, unknown>([
    ...Object.entries(top),
    ...Object.entries(attributes).map(([name, value]): [FieldName, unknown] => [`attributes.${name}`, value]),
  ]);
  return new Map(asked.map((field) => [field, all.get(field)]));
}
