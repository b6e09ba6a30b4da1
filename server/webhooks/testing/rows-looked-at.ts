import { sql, type Query } from "@/server/core/db";

interface Plan {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** Returns how many rows of tables and indexes PostgreSQL reads for the queries of `read`. */
export async function rowsLookedAt(read: (sql: Query) => Promise<unknown>): Promise<number> {
  let rows = 0;
  await read(async (text, values) => {
    const [row] = await sql<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
      false,
    );
    rows += looked(row!["QUERY PLAN"][0].Plan);
    return sql(text, values, false);
  });
  return rows;
}

const looked = (plan: Plan): number =>
  (/(Index|Only|Seq|Heap) Scan/.test(plan["Node Type"])
    ? (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"]
    : 0) + (plan.Plans ?? []).reduce((n, each) => n + looked(each), 0);
