import type { TxCtx } from "@/server/core/context";
import { opaque } from "@/server/core/opaque";
import { sent, type PolicySql } from "../plan/people";
import type { Work } from "./work";

/** Notes who is not to hold a credential any more, where their grace begins, and forgets who is again. */
export async function beginGrace(ctx: TxCtx, { config, policy_id }: Work, fresh: () => PolicySql): Promise<void> {
  if (config.graceDays === 0) {
    await ctx.tx.sql(`DELETE FROM policy_lapses WHERE org_id = $1 AND policy_id = $2`, [ctx.orgId, policy_id]);
    return;
  }
  const back = fresh();
  const policy = back.parameter(policy_id);
  const isWanted = back.wanted();
  await ctx.tx.sql(
    `DELETE FROM policy_lapses l WHERE l.org_id = $1 AND l.policy_id = ${policy}::uuid
       AND (SELECT ${isWanted} FROM subjects s WHERE s.org_id = ${opaque("$1")} AND s.id = l.subject_id OFFSET 0)`,
    ...sent(back),
  );
  const gone = fresh();
  const since = gone.parameter(gone.clock.now);
  const of = gone.parameter(policy_id);
  const exits = gone.exits({ grace: false });
  await ctx.tx.sql(
    `INSERT INTO policy_lapses (org_id, policy_id, subject_id, since) SELECT $1, ${of}::uuid, subject_id, ${since}::timestamptz FROM (${exits}) ended ON CONFLICT DO NOTHING`,
    ...sent(gone),
  );
}
