import { cron } from "inngest";
import { startDueConnector } from "@/server/connectors/run/start-due";
import { runConnectorStep } from "@/server/connectors/run/step";
import { inngest } from "./client";
import { connectorsQueued } from "./events";
import { tellFailure } from "./tell-failure";
import { workByTurns } from "./turn";

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
    while (await startDueConnector(new Date()));
    const steps = await workByTurns(
      () => runConnectorStep(new Date()),
      () => inngest.send(connectorsQueued.create({})),
    );
    return { steps };
  },
);
