import { expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { eventsOf } from "@/server/testing/events";
import { accessSteps } from "@/server/testing/traces/access";
import { accountSteps } from "@/server/testing/traces/account";
import { claimSteps } from "@/server/testing/traces/claims";
import { connectorSteps } from "@/server/testing/traces/connectors";
import { credentialSteps } from "@/server/testing/traces/credentials";
import { organisationSteps } from "@/server/testing/traces/organisations";
import { confirmationSteps } from "@/server/testing/traces/confirmations";
import { directorySteps } from "@/server/testing/traces/directories";
import { holderSteps } from "@/server/testing/traces/holders";
import { groupSteps } from "@/server/testing/traces/groups";
import { policySteps } from "@/server/testing/traces/policies";
import { subjectSteps } from "@/server/testing/traces/subjects";
import { achievementSteps } from "@/server/testing/traces/achievements";
import { templateSteps } from "@/server/testing/traces/templates";
import { visitorSteps } from "@/server/testing/traces/visitors";
import { webhookSteps } from "@/server/testing/traces/webhooks";
import { world, type World } from "@/server/testing/world";
import { isTestCode, readSource, sourceFiles } from "@/structure/sources";
import { describedRoutes } from "@/server/http/openapi/document";

// Holders are asked by mail, which is only stored here: nothing listens at this address.
Object.assign(process.env, { SMTP_URL: "smtp://127.0.0.1:49151", MAIL_FROM: "Bonafide <bonafide@example.edu>" });

// Spec 6.2 and 6.3, contract sections 4, 6, 7, 8 and 10: exactly the events and audit entries of each operation.
const table = [
  ...organisationSteps,
  ...accessSteps,
  ...accountSteps,
  ...subjectSteps,
  ...groupSteps,
  ...confirmationSteps,
  ...holderSteps,
  ...achievementSteps,
  ...templateSteps,
  ...credentialSteps,
  ...claimSteps,
  ...connectorSteps,
  ...directorySteps,
  ...visitorSteps,
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

it("the table lists every operation of the API", () => {
  const listed = new Set(table.map(({ operation }) => operation.operation.name));
  expect(
    describedRoutes()
      .map(({ spec }) => spec.operation.operation.name)
      .filter((name) => !listed.has(name)),
  ).toEqual([]);
});

/** Commands without a trace in the table, with the reason. */
const elsewhere: Record<string, string> = {
  "organisations.create": "The trace is in the new organisation: server/organisations/complete-setup.test.ts.",
  "organisations.create_setup_link": "There is no organisation yet whose log could hold it.",
  "organisations.complete_setup":
    "It needs a database without organisations: server/organisations/complete-setup.test.ts.",
  "templates.send_test_message": "It needs a mail server: server/notifications/send-test-message.test.ts.",
  "users.verify_email": "It needs a mail server: server/notifications/send-account-mail.test.ts.",
  "sso.disconnect": "It needs an identity provider: server/http/web/sso-callback.test.ts.",
  // Nothing of an organisation changes before the mail is answered.
  "users.request_email_verification": "It queues a mail.",
  "users.request_password_reset": "It queues a mail.",
  "claims.request_code": "It queues a mail.",
  "holders.request_entry": "It queues a mail.",
  "holders.request_address": "It queues a mail.",
  "claims.enter_code": "It proves an address, and the claim that follows leaves the trace.",
  "holders.decline_address": "It uses up a link, and nothing of an organisation changes.",
  "holders.leave": "It ends a session of a holder, which belongs to no organisation.",
};

/**
 * Returns the names of the commands that a source file defines, whichever member of the definition comes first. Commands
 * of jobs are in no table: each step of a job is tested beside it.
 */
const commandNames = (source: string) =>
  source
    .split(/ = (?:c|personC|visitorC)ommand(?=[<(])/)
    .slice(1)
    .map((definition) => /\bname: "([^"]+)"/.exec(definition)![1]!);

it("finds a command behind type arguments, a comment or another member", () => {
  const planted = `export const a = command<Input, void>({ name: "a" }); const b = personCommand({
    // Why.
    name: "b" }); const c = visitorCommand({ input, name: "c" });`;
  expect(commandNames(planted)).toEqual(["a", "b", "c"]);
});

it("the table holds a trace of every command of a request, also of those that the API does not have", () => {
  const names = sourceFiles(["ts"])
    .filter((file) => file.startsWith("server/") && !isTestCode(file))
    .flatMap((file) => commandNames(readSource(file)));
  expect(names.length).toBeGreaterThan(150);
  const writing = table.filter(({ events, audit = [] }) => events.length + audit.length > 0);
  const silent = table.filter(
    ({ operation, events, audit = [], nothingToDo }) =>
      operation.operation.kind !== "query" && events.length + audit.length === 0 && !nothingToDo,
  );
  expect(silent.map(({ operation }) => operation.operation.name)).toEqual([]);
  const traced = new Set(
    [...writing, ...table.filter((step) => step.nothingToDo)].map((step) => step.operation.operation.name),
  );
  expect(names.filter((name) => !traced.has(name) && !elsewhere[name])).toEqual([]);
  expect(Object.keys(elsewhere).filter((name) => !names.includes(name) || traced.has(name))).toEqual([]);
});
