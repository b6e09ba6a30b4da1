import { cron } from "inngest";
import { startDueConnector } from "@/server/connectors/run/start-due";
import { runConnectorStep } from "@/server/connectors/run/step";
import { inngest } from "./client";
import { connectorsQueued } from "./events";
import { tellFailure } from "./tell-failure";

/** A run hands over to another after this time, since an Inngest server waits only so long for an answer. */
const withinMs = 10_000;

/**
 * Queues the scheduled runs of connectors, and works on runs, one step of each in turn, until none is due. The cron
 * starts scheduled runs, and finds what a killed process left behind.
 */
export const runConnectors = inngest.createFunction(
  {
    id: "run-connectors",
    retries: 3,
    onFailure: tellFailure,
    triggers: [connectorsQueued, cron("* * * * *")],
    concurrency: { limit: 2 },
  },
  async () => {
    const until = Date.now() + withinMs;
    while (await startDueConnector(new Date()));
    let steps = 0;
    while (await runConnectorStep(new Date())) {
      steps++;
      if (Date.now() < until) continue;
      await inngest.send(connectorsQueued.create({}));
      break;
    }
    return { steps };
  },
);
