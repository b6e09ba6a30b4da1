import { z } from "zod";
import { reading } from "@/server/core/db";
import { isAmong, severalOf } from "@/server/core/list-filters";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { nameRequestStates, nameRequestView, type NameRequestRow } from "./name-request-view";

/** Lists the name requests of holders, oldest first. */
export const listNameRequests = query({
  name: "name_requests.list",
  scope: "subjects:read",
  input: z.strictObject({ state: severalOf(nameRequestStates).optional(), ...page }),
  async run(ctx, input) {
    const filtered = () => {
      const values: unknown[] = [ctx.orgId];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const where = ["org_id = $1"];
      if (input.state) where.push(isAmong("state", "text", input.state, parameter));
      return { where, parameter, values };
    };
    const found = await paginate(input, {
      binding: [ctx.orgId, "name_requests", input.state ?? null],
      fetch({ after, take, skip }) {
        const { where, parameter, values } = filtered();
        if (after !== null) where.push(`id > ${parameter(after)}`);
        return reading(ctx).sql<NameRequestRow>(
          `SELECT r.*, s.display_name AS record_name FROM (
             SELECT id, subject_id, name, note, state, reason, decided_at, created_at FROM name_requests
             WHERE ${where.join(" AND ")} ORDER BY id LIMIT ${parameter(take)} OFFSET ${parameter(skip)}
           ) r CROSS JOIN LATERAL (
             SELECT display_name FROM subjects WHERE org_id = ${opaque("$1")} AND subjects.id = r.subject_id OFFSET 0
           ) s ORDER BY r.id`,
          values,
        );
      },
      async count() {
        const { where, values } = filtered();
        const [row] = await reading(ctx).sql<{ n: number }>(
          `SELECT count(*) AS n FROM name_requests WHERE ${where.join(" AND ")}`,
          values,
        );
        return row!.n;
      },
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(nameRequestView) };
  },
});
