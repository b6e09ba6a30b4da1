import { z } from "zod";
import { reading } from "@/server/core/db";
import { isAmong, severalIds, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import {
  confirmationColumns,
  confirmationStates,
  confirmationView,
  joinConfirmation,
  type ConfirmationRow,
} from "@/server/credentials/confirmation";

/** Lists the requests to confirm names, oldest first. Decided requests are deleted after 90 days. */
export const listConfirmations = query({
  name: "name_confirmations.list",
  scope: "credentials:read",
  // The answer names people and their addresses.
  alsoScope: "subjects:read",
  input: z.strictObject({
    state: severalOf(confirmationStates).optional(),
    templateId: severalIds("tpl").optional(),
    subjectId: severalIds("sub").optional(),
    ...page,
  }),
  async run(ctx, { limit, cursor, offset, ...filter }) {
    const { sql } = reading(ctx);
    const values: unknown[] = [ctx.orgId];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const where = [
      "n.org_id = $1",
      ...(filter.state ? [isAmong("n.state", "text", filter.state, parameter)] : []),
      ...(filter.templateId ? [isAmong("n.template_id", "uuid", filter.templateId, parameter)] : []),
      ...(filter.subjectId ? [isAmong("n.subject_id", "uuid", filter.subjectId, parameter)] : []),
    ].join(" AND ");
    const [after, take, skip] = [1, 2, 3].map((n) => `$${values.length + n}`);
    const found = await paginate(
      { limit, cursor, offset },
      {
        binding: [ctx.orgId, "name_confirmations", filter],
        fetch: (range) =>
          sql<ConfirmationRow>(
            `SELECT ${confirmationColumns} FROM (
               SELECT * FROM name_confirmations n WHERE ${where} AND (${after}::uuid IS NULL OR n.id > ${after}) ORDER BY n.id LIMIT ${take} OFFSET ${skip}
             ) AS n ${joinConfirmation} ORDER BY n.id`,
            [...values, range.after, range.take, range.skip],
          ),
        count: async () =>
          (await sql<{ n: number }>(`SELECT count(*) AS n FROM name_confirmations n WHERE ${where}`, values))[0]!.n,
        keyOf: (row) => row.id,
      },
    );
    return { ...found, data: found.data.map((row) => confirmationView(row, ctx)) };
  },
});
