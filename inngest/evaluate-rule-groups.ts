import { cron } from "inngest";
import { evaluateDueRuleGroup, FailedEvaluation } from "@/server/groups/sweep";
import { inngest } from "./client";
import { groupsDue } from "./events";
import { tellFailure } from "./tell-failure";

/** A run hands over to another after this time, since an Inngest server waits only so long for an answer. */
const withinMs = 10_000;

/**
 * Keeps rule groups at what their rules mean, window by window, until none is due. Woken by a rule that was saved for
 * more people than its request looks at; the cron finds those whose turn has come. One group that fails does not stop
 * the others, and is told at the end.
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
