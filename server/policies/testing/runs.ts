import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { type World } from "@/server/testing/world";
import { Office } from "./office";
import { startDuePolicy } from "../run/start-due";

// Helpers for the tests of runs.

export const none = {
  issue: 0,
  confirming: 0,
  keep: 0,
  foreign: 0,
  renew: 0,
  resume: 0,
  suspend: 0,
  revoke: 0,
  grace: 0,
  blocked: 0,
  refused: 0,
};

export const hour = 3_600_000;

export const typesOf = async ({ orgId }: World) =>
  (await eventsOf(orgId)).map(({ type }) => type).filter((type) => !type.startsWith("subject."));

/** Queues a run by the schedule of the policy, for the job. */
export async function queued(office: Office): Promise<string> {
  await call("PATCH", `/v1/policies/${office.id}`, { token: office.token, body: { schedule: { cron: "0 5 * * *" } } });
  while (await startDuePolicy(new Date(Date.now() + 25 * hour)));
  return (await office.policy()).lastRun!.id;
}
