import { cron } from "inngest";
import { evaluateDueRuleGroup, FailedEvaluation } from "@/server/groups/sweep";
import { inngest } from "./client";
import { groupsDue } from "./events";
import { tellFailure } from "./tell-failure";
import { workByTurns } from "./turn";

/**
 * Keeps the members of rule groups up to date, in batches, until no group is due. Woken when a rule was saved for more
 * people than its request evaluates; the cron finds groups that are due. One group that fails does not stop the others,
 * and is reported at the end.
 */
export const evaluateRuleGroups = inngest.createFunction(
  {
    id: "evaluate-rule-groups",
    retries: 3,
    onFailure: tellFailure,
    triggers: [groupsDue, cron("* * * * *")],
    concurrency: { limit: 1 },
  },
  async () => {
    const failures: FailedEvaluation[] = [];
    const evaluateNext = async () => {
      try {
        return await evaluateDueRuleGroup(new Date());
      } catch (error) {
        if (!(error instanceof FailedEvaluation)) throw error;
        failures.push(error);
        return true;
      }
    };
    const windows = await workByTurns(evaluateNext, () => inngest.send(groupsDue.create({})));
    if (failures[0]) throw failures[0];
    return { windows };
  },
);
