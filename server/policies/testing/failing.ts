import { readId, type PublicId } from "@/server/core/ids";
import { sql } from "@/server/testing/sql";
import { runPolicyStep } from "../run/step";
import { startDuePolicy } from "../run/start-due";

/**
 * Breaks the runs of a policy that are in progress, so that their next step throws a TypeError, like a defect of ours.
 */
export async function breakRuns(policyId: string): Promise<void> {
  await sql(
    `UPDATE policy_runs SET config = config - 'blastRadius' WHERE policy_id = $1 AND status IN ('running', 'waiting')`,
    [readId("pol", policyId as PublicId<"pol">)],
  );
}

/**
 * Processes all runs at this time.
 *
 * @returns how many steps threw
 */
export async function workOff(now: number): Promise<number> {
  let failures = 0;
  for (let more = true; more; )
    more = await runPolicyStep(new Date(now)).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      failures++;
      return true;
    });
  return failures;
}

/** Begins a run of a policy with a daily schedule, and lets its steps fail until it is given up. */
export async function failScheduledRun(policyId: string, at: Date): Promise<void> {
  while (await startDuePolicy(new Date(at.getTime() + 25 * 3_600_000)));
  await breakRuns(policyId);
  for (let minutes = 0; minutes <= 60; minutes += 5) await workOff(at.getTime() + minutes * 60_000);
}
