import { opaque } from "@/server/core/opaque";

/**
 * SQL for the person of a staged row `r`: the person whom the connector provides under the row's key, else the person
 * whom it may adopt, by external id or by e-mail (resolve.ts). For counting before anything is applied.
 *
 * @param columns of `subjects`
 * @param parameters `$n` of: the connector; whether it adopts by external id; whether also by e-mail. `$1` is the
 * organisation.
 */
export const personOfRow = (
  columns: readonly string[],
  { connector, byExternalId, byEmail }: { connector: string; byExternalId: string; byEmail: string },
): string => {
  const selected = (alias: string) => columns.map((name) => `${alias}.${name}`).join(", ");
  return `
  SELECT ${selected("s")} FROM (
    SELECT subject_id FROM subject_sources WHERE org_id = $1 AND source_id = ${connector} AND key = r.key OFFSET 0
  ) o CROSS JOIN LATERAL (SELECT ${columns.join(", ")} FROM subjects WHERE org_id = $1 AND id = o.subject_id OFFSET 0) s
  UNION ALL SELECT ${selected("s")} FROM subjects s WHERE org_id = $1 AND external_id = r.key AND ${byExternalId}::boolean
  UNION ALL SELECT ${selected("s")} FROM subjects s WHERE org_id = ${opaque("$1")} AND ${byEmail}::boolean AND lower(email) = lower(r.fields ->> 'email') AND NOT r.shares_email
    AND NOT EXISTS (SELECT FROM subject_sources own WHERE own.org_id = $1 AND own.subject_id = s.id AND own.source_id = ${connector} OFFSET 0)
  LIMIT 1`;
};
