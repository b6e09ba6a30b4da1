import { expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { eventsOf } from "@/server/testing/events";
import { claimSteps } from "@/server/testing/traces/claims";
import { connectorSteps } from "@/server/testing/traces/connectors";
import { credentialSteps } from "@/server/testing/traces/credentials";
import { organisationSteps } from "@/server/testing/traces/organisations";
import { confirmationSteps } from "@/server/testing/traces/confirmations";
import { holderSteps } from "@/server/testing/traces/holders";
import { groupSteps } from "@/server/testing/traces/groups";
import { policySteps } from "@/server/testing/traces/policies";
import { subjectSteps } from "@/server/testing/traces/subjects";
import { achievementSteps } from "@/server/testing/traces/achievements";
import { templateSteps } from "@/server/testing/traces/templates";
import { webhookSteps } from "@/server/testing/traces/webhooks";
import { world, type World } from "@/server/testing/world";
import { describedRoutes } from "@/server/http/openapi/document";

// Spec 6.2 and 6.3, contract sections 4, 6, 7, 8 and 10: exactly the events and audit entries of each operation.
const table = [
  ...organisationSteps,
  ...subjectSteps,
  ...groupSteps,
  ...confirmationSteps,
  ...holderSteps,
  ...achievementSteps,
  ...templateSteps,
  ...credentialSteps,
  ...claimSteps,
  ...connectorSteps,
  ...policySteps,
  ...webhookSteps,
];

async function trace(w: World): Promise<{ events: string[]; audit: string[] }> {
  return { events: (await eventsOf(w.orgId)).map((e) => e.type), audit: await auditOf(w.orgId) };
}

it.each(table.map((step) => [`${step.operation.operation.name} ${step.case ?? ""}`.trim(), step] as const))(
  "%s",
  async (_, step) => {
    const w = await world();
    const act = await step.prepare(w.ctx);
    const before = await trace(w);
    await act();
    const after = await trace(w);
    expect({ events: after.events.slice(before.events.length), audit: after.audit.slice(before.audit.length) }).toEqual(
      { events: [...step.events], audit: step.audit ?? [] },
    );
  },
);

it("the table lists every operation of the API and a trace of every command", () => {
  const listed = new Set(table.map(({ operation }) => operation.operation.name));
  expect(
    describedRoutes()
      .map(({ spec }) => spec.operation.operation.name)
      .filter((name) => !listed.has(name)),
  ).toEqual([]);
  const silent = table.filter(
    ({ operation, events, audit = [], nothingToDo }) =>
      operation.operation.kind === "command" && events.length + audit.length === 0 && !nothingToDo,
  );
  expect(silent.map(({ operation }) => operation.operation.name)).toEqual([]);
});
