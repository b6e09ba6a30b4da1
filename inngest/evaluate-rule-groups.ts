import { cron } from "inngest";
import { evaluateDueRuleGroup, FailedEvaluation } from "@/server/groups/sweep";
import { inngest } from "./client";
import { groupsDue } from "./events";
import { tellFailure } from "./tell-failure";

/** A run hands over to another after this time, since an Inngest server waits only so long for an answer. */
const withinMs = 10_000;

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
    const until = Date.now() + withinMs;
    const failures: FailedEvaluation[] = [];
    let windows = 0;
    for (;;) {
      try {
        if (!(await evaluateDueRuleGroup(new Date()))) break;
        windows++;
      } catch (error) {
        if (!(error instanceof FailedEvaluation)) throw error;
        failures.push(error);
      }
      if (Date.now() < until) continue;
      await inngest.send(groupsDue.create({}));
      break;
    }
    if (failures[0]) throw failures[0];
    return { windows };
  },
);
