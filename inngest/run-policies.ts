import { cron } from "inngest";
import { startDuePolicy } from "@/server/policies/run/start-due";
import { runPolicyStep } from "@/server/policies/run/step";
import { inngest } from "./client";
import { policiesQueued } from "./events";
import { tellFailure } from "./tell-failure";
import { workByTurns } from "./turn";

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
    while (await startDuePolicy(new Date()));
    const steps = await workByTurns(
      () => runPolicyStep(new Date()),
      () => inngest.send(policiesQueued.create({})),
    );
    return { steps };
  },
);
