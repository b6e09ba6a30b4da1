import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { fieldsOf, type FieldName } from "../map-row";
import type { Mapping } from "../mapping";
import { columnsOfField, isLoss, type EmptiedField } from "./filled";
import { personOfRow } from "./known";
import type { Precedence } from "./precedence";
import type { Work } from "./work";

/** Describes the values that would be lost. */
export function lossMessage(mapping: Mapping, lost: EmptiedField[]): string {
  const said = lost.map(({ name, filled, emptied }) => {
    const columns = columnsOfField(mapping, name);
    return `The file has nothing in the column ${columns.map((each) => JSON.stringify(each)).join(", ")} for ${emptied} people who have a value there, and fills it for ${filled}.`;
  });
  return `${said.join(" ")} These values would be removed. The export may be broken.`;
}

/** Finds the fields that the staged rows of a run would clear for nearly everybody. */
export async function lostFields(ctx: Ctx, work: Work, precedence: Precedence[]): Promise<EmptiedField[]> {
  const sparse = work.progress.sparse ?? [];
  if (sparse.length === 0) return [];
  const first = Object.fromEntries(
    sparse.map(({ name }): [FieldName, Id<"con">[]] => [
      name,
      precedence.filter(({ mapping }) => fieldsOf(mapping).some(([each]) => each === name)).map(({ id }) => id),
    ]),
  );
  const rows = await reading(ctx).sql<{ name: FieldName; emptied: number }>(countEmptied, [
    ctx.orgId,
    work.id,
    work.connector_id,
    work.config.adopt !== "never",
    sparse.map(({ name }) => name),
    JSON.stringify(first),
    work.config.adopt === "email",
  ]);
  const emptied = new Map(rows.map((row) => [row.name, row.emptied]));
  return sparse.map((field) => ({ ...field, emptied: emptied.get(field.name) ?? 0 })).filter(isLoss);
}

/** Each person counts once, with their first row. Fields that another connector writes are not counted. */
const countEmptied = `
SELECT field.name, count(*) AS emptied
FROM connector_rows r
CROSS JOIN LATERAL (${personOfRow(["id", "display_name", "email", "attributes"], { connector: "$3", byExternalId: "$4", byEmail: "$7" })}) s
CROSS JOIN LATERAL unnest($5::text[]) AS field (name)
WHERE r.org_id = $1 AND r.run_id = $2 AND r.fields IS NOT NULL
  AND CASE field.name
    WHEN 'displayName' THEN coalesce(r.fields ->> 'displayName', '') = '' AND s.display_name <> ''
    WHEN 'email' THEN coalesce(r.fields ->> 'email', '') = '' AND s.email IS NOT NULL
    WHEN 'groups' THEN r.groups = '{}' AND EXISTS (SELECT FROM connector_memberships m WHERE m.org_id = $1 AND m.connector_id = $3 AND m.subject_id = s.id OFFSET 0)
    ELSE coalesce(r.fields -> 'attributes' ->> substr(field.name, 12), '') = '' AND s.attributes ->> substr(field.name, 12) IS NOT NULL END
  AND NOT EXISTS (SELECT FROM connector_rows first WHERE first.org_id = $1 AND first.run_id = $2 AND first.key = r.key AND first.line < r.line OFFSET 0)
  AND NOT EXISTS (SELECT FROM subject_sources o WHERE o.org_id = $1 AND o.subject_id = s.id AND o.missing_since IS NULL
    AND (o.stated IS NULL OR field.name = ANY(o.stated))
    AND o.source_id = ANY(ARRAY(SELECT jsonb_array_elements_text($6::jsonb -> field.name))::uuid[]) OFFSET 0)
GROUP BY field.name`;
