import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { opaque } from "@/server/core/opaque";
import type { Id } from "@/server/core/ids";
import type { FieldName } from "../map-row";
import { endedByAbsence, keptAgainstStatus, providedElsewhere } from "./elsewhere";

/** The data of a row's person that the decision about the row needs. */
export interface Known {
  id: Id<"sub">;
  external_id: string;
  status: string;
  /** Whether the connector provides the person already. */
  provided: boolean;
  /** Whether the person was missing from the connector's last full file. */
  missing: boolean;
  /** Whether the person is inactive because of an absence, so that the connector makes them active by listing them. */
  ended: boolean;
  /** Whether the connector last marked the person as inactive. */
  inactive: boolean;
  /** Whether another live source provides the person. */
  elsewhere: boolean;
  /** Whether another live source keeps the person active if this connector marks them as inactive. */
  kept: boolean;
  /** Whether only the e-mail address says that the row is about the person. */
  by_email: boolean;
  /** The connectors with higher precedence that provide the person too. One that no longer lists the person decides nothing. */
  first: Preceding[];
}

export interface Preceding {
  id: Id<"con">;
  /** The fields that a directory gives a value; null for a file, which states every field that it maps. */
  stated: FieldName[] | null;
}

/** The parts of a row that identify its person. */
export interface Named {
  key: string;
  /** The address by which a person may be found; null unless the connector adopts people by e-mail address. */
  email: string | null;
  /** Whether several rows of the file have the address. */
  isShared: boolean;
}

/** Several people or rows have the e-mail address, so it is unknown who is meant. */
export const ambiguous = "ambiguous";

/** Another row of the file names the person by the key under which the connector knows them. */
export const namedTwice = "named twice";

/** The person of a row; null if the row is about somebody new. */
export type Found = Known | null | typeof ambiguous | typeof namedTwice;

/**
 * Finds the people of these rows: the person that the connector knows under the key, else the person whose externalId it
 * is, else the one person with the e-mail address whom the connector does not provide yet (docs/decisions/510).
 * @param before the connectors with higher precedence
 * @param runId the run whose staged rows are the file; null without any, as in a preview
 */
export async function resolve(
  ctx: Ctx,
  connectorId: Id<"con"> | null,
  named: Named[],
  before: Id<"con">[],
  runId: Id<"run"> | null = null,
): Promise<Found[]> {
  const rows = await reading(ctx).sql<Known & { n: number; several: boolean; twice: boolean }>(
    `SELECT s.*, given.n, coalesce(mail.several, false) AS several,
       same.id IS NOT NULL AND EXISTS (
         SELECT FROM subject_sources own JOIN connector_rows r ON r.org_id = own.org_id AND r.run_id = $6 AND r.key = own.key
         WHERE own.org_id = $1 AND own.subject_id = s.id AND own.type = 'connector' AND own.source_id = $3 AND r.fields IS NOT NULL OFFSET 0
       ) AS twice, o.subject_id IS NOT NULL AS provided, o.subject_id IS NULL AND same.id IS NULL AS by_email, o.missing_since IS NOT NULL AS missing, (o.subject_id IS NULL OR o.missing_since IS NOT NULL) AND ${endedByAbsence("s.id")} AS ended, coalesce(o.inactive, false) AS inactive,
       ${providedElsewhere("s.id")} AS elsewhere, ${keptAgainstStatus("s.id")} AS kept,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('id', first.source_id, 'stated', first.stated)), '[]') FROM (
         SELECT source_id, stated FROM subject_sources WHERE org_id = $1 AND subject_id = s.id AND source_id = ANY($4::uuid[]) AND missing_since IS NULL OFFSET 0
       ) first) AS first
     FROM unnest($2::text[], $5::text[]) WITH ORDINALITY AS given (key, email, n)
     LEFT JOIN LATERAL (
       SELECT subject_id, missing_since, inactive FROM subject_sources WHERE org_id = $1 AND source_id = $3 AND key = given.key OFFSET 0
     ) o ON true
     LEFT JOIN LATERAL (
       SELECT id FROM subjects WHERE org_id = $1 AND external_id = given.key AND o.subject_id IS NULL OFFSET 0
     ) same ON true
     LEFT JOIN LATERAL (
       SELECT min(found.id::text)::uuid AS id, count(*) > 1 AS several FROM (
         SELECT id FROM subjects s WHERE given.email IS NOT NULL AND o.subject_id IS NULL AND same.id IS NULL
           AND lower(email) = lower(given.email) AND org_id = ${opaque("$1")} AND erased_at IS NULL
           AND NOT EXISTS (SELECT FROM subject_sources own WHERE own.org_id = $1 AND own.subject_id = s.id AND own.source_id = $3 OFFSET 0)
         LIMIT 2
       ) found
     ) mail ON true
     CROSS JOIN LATERAL (
       SELECT id, external_id, status FROM subjects WHERE org_id = $1 AND id = coalesce(o.subject_id, same.id, mail.id) OFFSET 0
     ) s`,
    [
      ctx.orgId,
      named.map(({ key }) => key),
      connectorId,
      before,
      named.map(({ email }) => (email === "" ? null : email)),
      runId,
    ],
  );
  const found: Found[] = named.map(() => null);
  for (const { n, several, twice, ...person } of rows) {
    const isAmbiguous = several || (person.by_email && named[n - 1]!.isShared);
    found[n - 1] = twice ? namedTwice : isAmbiguous ? ambiguous : person;
  }
  return found;
}
