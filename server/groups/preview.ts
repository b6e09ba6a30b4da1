import { z } from "zod";
import { query } from "@/server/core/operation";
import { transaction, type Tx } from "@/server/core/transaction";
import { regionOf } from "@/server/organisations/region";
import { requireStaticGroups } from "./named-groups";
import { compileRule } from "@/server/rules/compile";
import { ruleInput } from "@/server/rules/input";
import { statuses } from "@/server/rules/rule";
import { refuseCostly, withinRuleTime } from "@/server/rules/rule-time";

export const groupPreviewSchema = z
  .object({ matchCount: z.int().meta({ description: "How many people match the rule now." }) })
  .meta({ id: "GroupPreview" });

/**
 * Counts the people who match a rule now, after the same checks as saving it. Writes nothing. Requires subjects:read,
 * because rules can read any attribute.
 */
export const previewGroup = query({
  name: "groups.preview",
  scope: "subjects:read",
  input: z.strictObject({
    rule: ruleInput,
    status: z.enum(statuses).optional().meta({
      description: "Counts people of this status alone, as a policy with the rule does with active ones.",
    }),
  }),
  async run(ctx, { rule, status }) {
    const count = async (tx: Tx) => {
      await requireStaticGroups({ ...ctx, tx }, rule, "");
      const { timeZone } = await regionOf(tx.sql, ctx.orgId);
      const values: unknown[] = [ctx.orgId];
      const parameter = (value: unknown) => `$${values.push(value)}`;
      const matches = compileRule(rule, { now: ctx.now, timeZone }, parameter);
      const among = status === undefined ? "" : `AND s.status = ${parameter(status)}`;
      const [row] = await tx.sql<{ n: number }>(
        `SELECT count(*) AS n FROM subjects s WHERE s.org_id = $1 AND ${matches} ${among}`,
        values,
        false,
      );
      return { matchCount: row!.n };
    };
    return transaction((tx) => withinRuleTime(tx, () => count(tx))).catch(refuseCostly);
  },
});
