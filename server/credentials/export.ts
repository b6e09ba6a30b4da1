import { z } from "zod";
import type { Ctx } from "@/server/core/context";
import { csvDownload } from "@/server/core/csv";
import { reading } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { withTimeBounds } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { sortBy } from "@/server/core/sorting";
import { credentialFilters, credentialSorts } from "./filter";
import { fetchCredentials, orderOfCredentials } from "./list";
import { credentialView, type CredentialRow } from "./view";

const ofCredential = [
  "id",
  "code",
  "state",
  "kind",
  "subjectId",
  "templateId",
  "validFrom",
  "issuedAt",
  "expiresAt",
  "suspendedAt",
  "suspensionReason",
  "revokedAt",
  "revocationReason",
  "verifyUrl",
  "data",
  "metadata",
  "createdAt",
  "updatedAt",
] as const;

/**
 * Exports all credentials of a list with these filters as CSV, with the present names of holder and template. Requires
 * subjects:read too, because the file names the holders.
 */
export const exportCredentials = query({
  name: "credentials.export",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ ...credentialFilters, sort: sortBy(credentialSorts, "Newest first unless sent.") }),
  async run(ctx, { sort, ...filter }) {
    const order = orderOfCredentials(sort, filter);
    const asked = await withTimeBounds(ctx.orgId, "credentials", filter);
    return csvDownload({
      fileName: `credentials-${ctx.now.toISOString().slice(0, 10)}.csv`,
      columns: ["externalId", "holder", "template", ...ofCredential],
      fetch: (after, take) => fetchCredentials(ctx, asked, order, { after, take, skip: 0 }),
      keyOf: order.keyOf,
      async values(rows) {
        const names = await namesIn(ctx, rows);
        return rows.map((row) => {
          const view = credentialView(row, ctx.now);
          return [
            row.external_id,
            names.get(row.subject_id),
            names.get(row.template_id),
            ...ofCredential.map((column) => view[column]),
          ];
        });
      },
    });
  },
});

/** The names of the subjects and templates of these credentials, by id. */
async function namesIn(ctx: Ctx, rows: CredentialRow[]): Promise<Map<Id, string>> {
  const named = await reading(ctx).sql<{ id: Id; name: string }>(
    `SELECT s.id, s.name FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT id, display_name AS name FROM subjects WHERE org_id = ${opaque("$1")} AND id = given.id OFFSET 0) s
     UNION ALL
     SELECT t.id, t.name FROM unnest($3::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT id, name FROM templates WHERE org_id = ${opaque("$1")} AND id = given.id OFFSET 0) t`,
    [ctx.orgId, [...new Set(rows.map((row) => row.subject_id))], [...new Set(rows.map((row) => row.template_id))]],
  );
  return new Map(named.map(({ id, name }) => [id, name]));
}
