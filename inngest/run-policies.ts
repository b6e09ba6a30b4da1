import { cron } from "inngest";
import { startDuePolicy } from "@/server/policies/run/start-due";
import { runPolicyStep } from "@/server/policies/run/step";
import { inngest } from "./client";
import { policiesQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** A run hands over to another after this time, since an Inngest server waits only so long for an answer. */
const withinMs = 10_000;

/**
 * Queues the scheduled runs of policies, and works on runs, one step of each in turn, until none is due. The cron
 * starts scheduled runs, and finds what a killed process left behind.
 */
export const runPolicies = inngest.createFunction(
  {
    id: "run-policies",
    retries: 3,
    onFailure: tellFailure,
    triggers: [policiesQueued, cron("* * * * *")],
    concurrency: { limit: 2 },
  },
  async () => {
    const until = Date.now() + withinMs;
    while (await startDuePolicy(new Date()));
    let steps = 0;
    while (await runPolicyStep(new Date())) {
      steps++;
      if (Date.now() < until) continue;
      await inngest.send(policiesQueued.create({}));
      break;
    }
    return { steps };
  },
);
