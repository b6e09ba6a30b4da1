import { invalidInput } from "@/server/core/input";
import type { Tx } from "@/server/core/transaction";

/**
 * The time limit of one statement of a rule. Rules that people write take less than a second for a window of 20,000
 * people. A request that waits for a window waits for two such statements, and gives up after 15 seconds.
 */
const statementMs = 4_000;

/** Thrown if PostgreSQL exceeds the time limit of a rule: the transaction can only be rolled back. */
export class RuleTooCostly extends Error {
  override readonly name = "RuleTooCostly";
}

/**
 * Runs work whose statements evaluate a rule, each within the time limit of a rule, or within `ms`.
 *
 * @throws RuleTooCostly
 */
export async function withinRuleTime<T>(tx: Tx, work: () => Promise<T>, ms = statementMs): Promise<T> {
  tx.send(`SET LOCAL statement_timeout = ${ms}`);
  try {
    const result = await work();
    tx.send("SET LOCAL statement_timeout TO DEFAULT");
    return result;
  } catch (error) {
    throw (error as { code?: unknown } | null)?.code === queryCanceled ? new RuleTooCostly() : error;
  }
}

const queryCanceled = "57014";

/** Converts RuleTooCostly to a refusal of the request that explains it; rethrows any other error. */
export function refuseCostly(error: unknown): never {
  if (!(error instanceof RuleTooCostly)) throw error;
  throw invalidInput([
    {
      pointer: "/rule",
      code: "too_big",
      message:
        "costs too much: it could not be evaluated within the time that a rule has. Use fewer or shorter comparisons with contains, or compare shorter attributes",
    },
  ]);
}
