import { isDeepStrictEqual } from "node:util";
import { fieldsOf, type FieldName } from "@/server/connectors/map-row";
import type { TxCtx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { UpsertInput } from "@/server/subjects/input";
import { writeAccepted, type Accepted } from "@/server/subjects/write-accepted";
import type { Mapping } from "../mapping";
import type { ConnectorRow } from "../view";
import type { Fields } from "@/server/scim/protocol/values";
import { isEmpty, valuesOf, write } from "./changes";
import { mapBefore } from "./map-user";

/** How many people are read and written in one batch. */
const setSize = 500;

interface Shared {
  id: Id<"sub">;
  external_id: string;
  display_name: string;
  email: string | null;
  attributes: Record<string, unknown>;
  /** What the departed directory wrote last; null for a file. */
  resource: Fields | null;
  /** The other live sources of the person, in the order of precedence. */
  others: { id: Id<"con">; resource: Fields | null }[];
}

interface Source {
  id: Id<"con">;
  mapping: Mapping;
  priority: number;
}

/** A person whose fields were written. */
export interface Rewritten {
  id: Id<"sub">;
  result: Accepted;
}

/**
 * Gives each field of people who have left a source the value of the next directory that states it, as for a field that
 * a directory withdraws (docs/decisions/524, 533). A field stays unchanged if a file maps it, or if its value is not
 * that of the departed source. Only people whom another directory lists are written. The status is decided elsewhere.
 * Call it with the people locked.
 *
 * @param clears whether a field that no other source states is emptied. A deleted connection says nothing about its
 * people.
 */
export async function fallBackToNextSource(
  ctx: TxCtx,
  departed: Pick<ConnectorRow, "id" | "mapping" | "priority" | "is_default">,
  people: readonly Id<"sub">[],
  { clears }: { clears: boolean },
): Promise<Rewritten[]> {
  if (people.length === 0) return [];
  const sources = await ctx.tx.sql<Source>(
    `SELECT id, mapping, priority FROM connectors WHERE org_id = $1 AND id <> $2 AND deleted_at IS NULL AND NOT is_default`,
    [ctx.orgId, departed.id],
  );
  if (sources.length === 0) return [];
  const byId = new Map(sources.map((source) => [source.id, source]));
  const rewritten: Rewritten[] = [];
  for (let i = 0; i < people.length; i += setSize) {
    const rows = await ctx.tx.sql<Shared>(shared, [ctx.orgId, departed.id, people.slice(i, i + setSize)]);
    const inputs = rows.flatMap((row) => {
      const fields = fieldsAfter(departed, row, byId, clears && !departed.is_default);
      return Object.keys(fields).length > 0 ? [{ ...fields, externalId: row.external_id }] : [];
    });
    const written = await writeAccepted(ctx, inputs, null);
    for (const { id, external_id } of rows) {
      const result = written.get(external_id);
      if (result) rewritten.push({ id, result });
    }
  }
  return rewritten;
}

/** Returns the fields of a person that change when the source no longer lists the person. */
function fieldsAfter(
  departed: Pick<ConnectorRow, "mapping" | "priority">,
  row: Shared,
  byId: ReadonlyMap<Id<"con">, Source>,
  clears: boolean,
): Omit<UpsertInput, "externalId"> {
  const said = row.resource && valuesOf(departed.mapping, mapBefore(departed.mapping, row.resource));
  const others = row.others.flatMap(({ id, resource }) => {
    const source = byId.get(id);
    if (!source) return [];
    const values = resource && valuesOf(source.mapping, mapBefore(source.mapping, resource));
    return [{ priority: source.priority, values, mapped: fieldsOf(source.mapping).map(([name]) => name) }];
  });
  const input: Omit<UpsertInput, "externalId"> = {};
  for (const [field] of fieldsOf(departed.mapping)) {
    if (field === "externalId" || field === "status") continue;
    const here = valueHere(row, field);
    const next = others.find(({ values, mapped }) => (values ? !isEmpty(values.get(field)) : mapped.includes(field)));
    // The last values of a file are not stored. The file wrote the field unless another source decides it.
    const isOwn = said
      ? !isEmpty(said.get(field)) && isDeepStrictEqual(here, said.get(field))
      : next !== undefined && next.priority > departed.priority;
    if (!isOwn) continue;
    if (!next) {
      if (clears && field !== "displayName") write(input, field, null);
    } else if (next.values && !isDeepStrictEqual(next.values.get(field), here))
      write(input, field, next.values.get(field));
  }
  return input;
}

const valueHere = ({ display_name, email, attributes }: Shared, field: FieldName): unknown =>
  field === "displayName" ? display_name : field === "email" ? email : attributes[field.slice("attributes.".length)];

/**
 * Returns the people whom another directory lists too. The default connection does not count, because it repeats what
 * it found here.
 */
const shared = `
SELECT s.id, s.external_id, s.display_name, s.email, s.attributes, own.resource, o.others
FROM unnest($3::uuid[]) AS given (id)
CROSS JOIN LATERAL (
  SELECT jsonb_agg(jsonb_build_object('id', c.id, 'resource', u.resource) ORDER BY c.priority, u.updated_at DESC NULLS LAST, c.id) AS others
  FROM (SELECT source_id, type FROM subject_sources WHERE org_id = ${opaque("$1")} AND subject_id = given.id AND source_id <> $2 AND missing_since IS NULL OFFSET 0) source
  CROSS JOIN LATERAL (
    SELECT id, priority FROM connectors WHERE org_id = $1 AND id = source.source_id AND deleted_at IS NULL AND NOT is_default OFFSET 0
  ) c
  LEFT JOIN LATERAL (
    SELECT resource, updated_at FROM scim_users WHERE org_id = $1 AND connector_id = source.source_id AND subject_id = given.id OFFSET 0
  ) u ON true
  WHERE source.type = 'connector' OR u.resource IS NOT NULL
  HAVING bool_or(u.resource IS NOT NULL)
) o
CROSS JOIN LATERAL (SELECT id, external_id, display_name, email, attributes FROM subjects WHERE org_id = $1 AND id = given.id AND erased_at IS NULL OFFSET 0) s
LEFT JOIN LATERAL (SELECT resource FROM scim_users WHERE org_id = $1 AND connector_id = $2 AND subject_id = given.id OFFSET 0) own ON true`;
