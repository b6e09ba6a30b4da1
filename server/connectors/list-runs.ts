import { z } from "zod";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { isAmong, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { page, paginate } from "@/server/core/pagination";
import { loadConnector } from "./load";
import { runColumns, runStatuses, runView, type RunRow } from "./run-view";

/** Lists the runs of a connector with their results, newest first. */
export const listConnectorRuns = query({
  name: "connectors.runs.list",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con"), status: severalOf(runStatuses).optional(), ...page }),
  async run(ctx, input) {
    const connector = await loadConnector(ctx, input.id);
    const narrowed = () => {
      const values: unknown[] = [ctx.orgId, connector.id];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const where = ["org_id = $1", "connector_id = $2"];
      if (input.status) where.push(isAmong("status", "text", input.status, parameter));
      return { values, parameter, where };
    };
    const found = await paginate(input, {
      binding: [ctx.orgId, "connector_runs", connector.id, input.status],
      fetch({ after, take, skip }) {
        const { values, parameter, where } = narrowed();
        if (after !== null) where.push(`id < ${parameter(after)}::uuid`);
        return reading(ctx).sql<RunRow>(
          `SELECT ${runColumns} FROM connector_runs WHERE ${where.join(" AND ")} ORDER BY id DESC LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
          values,
        );
      },
      async count() {
        const { values, where } = narrowed();
        const [row] = await reading(ctx).sql<{ n: number }>(
          `SELECT count(*) AS n FROM connector_runs WHERE ${where.join(" AND ")}`,
          values,
        );
        return row!.n;
      },
      keyOf: (row) => row.id,
    });
    return { ...found, data: found.data.map(runView) };
  },
});
