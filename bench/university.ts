import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { closeDb } from "@/server/core/db";
import { issueCredential } from "@/server/credentials/issue";
import { createPolicy } from "@/server/policies/create";
import { publicId } from "@/server/core/ids";
import { createConnector } from "@/server/connectors/create";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { context, copy, organisation, publishTemplate } from "./setup";
import { httpClient } from "./http-client";
import type { Row } from "./measure";
import { startBare, startListener, startServer } from "./processes";
import { postgresTime } from "./processor-time";
import { bareRun } from "./university-bare";
import { universityDatabase } from "./university-database";
import { peopleFile } from "./university-file";
import { publicLoad } from "./university-load";
import { barePosts } from "./university-posts";

/** Credentials whose codes the public asks for. */
const codes = 1000;
const perSecond = 200;
const mebibyte = 1024 * 1024;

/**
 * A year of a university in one go, in an organisation made in this run: its people come from a file, a policy is
 * previewed and applied to four of five, a second file changes one in twenty, the policy is applied again, and a
 * template that a fifth of them hold is revoked. Every event is numbered and delivered to a webhook endpoint, while the
 * public verifies 200 credentials a second. Ends with the same rows written by bare SQL: alone, and while as many signed
 * webhooks are posted and as many credentials looked up, without which the work cannot be done.
 * @param databaseUrl the database of this process, of which copies are made
 */
export async function* university(databaseUrl: string, people: number): AsyncGenerator<Row> {
  const listener = await startListener();
  const place = await prepare(databaseUrl, people, listener.origin);
  const servedUrl = await copy(databaseUrl, "university");
  const bareUrl = await copy(databaseUrl, "university_bare");
  const busyUrl = await copy(databaseUrl, "university_busy");
  const server = await startServer(servedUrl);
  const headers = { authorization: `Bearer ${place.token}` };
  const api = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const http = await httpClient(server.origin, 1, headers);
    const answer = await http.send(0, method, path, body === undefined ? {} : { body });
    http.close();
    return JSON.parse(answer) as T;
  };
  const until = async (path: string, status: string) => {
    for (;;) {
      const run = await api<{ status: string }>("GET", path);
      if (run.status === status) return;
      if (!["queued", "running"].includes(run.status)) throw new Error(`${path} ended as ${JSON.stringify(run)}`);
      await pause(100);
    }
  };
  const upload = async (changed: boolean) => {
    const request: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { ...headers, "content-type": "text/csv" },
      body: peopleFile(people, changed),
      duplex: "half",
    };
    const answer = await fetch(`${server.origin}/v1/connectors/${place.connectorId}/upload`, request);
    const { id } = (await answer.json()) as { id: string };
    await until(`/v1/connectors/${place.connectorId}/runs/${id}`, "succeeded");
  };
  const policy = `/v1/policies/${place.policyId}`;
  const apply = async () => {
    const { planHash } = await api<{ planHash: string }>("POST", `${policy}/preview`, {});
    const { id } = await api<{ id: string }>("POST", `${policy}/apply`, { planHash });
    await until(`${policy}/runs/${id}`, "completed");
  };
  const revoke = async () => {
    const job = await api<{ id: string }>(
      "POST",
      `/v1/templates/${publicId("tpl", place.recalled.templateId)}/revoke-credentials`,
      {
        reason: "Recalled",
        expectedCount: Math.floor(people / 5),
      },
    );
    await until(`/v1/bulk/${job.id}`, "completed");
  };
  const database = await universityDatabase(servedUrl, place.orgId);
  const load = await publicLoad(server, place.codes, perSecond);
  const count = people.toLocaleString("en");
  const timeOf = async () => ({
    "the server": (await server.cpuTime()) / 1000,
    PostgreSQL: postgresTime(),
    "the webhook listener": (await listener.cpuTime()) / 1000,
    "files and verifications": ownTime(),
  });
  const timeBefore = await timeOf();
  let total = 0;
  try {
    const parts: [string, () => Promise<unknown>][] = [
      [`a file of ${count} people`, () => upload(false)],
      ["the preview of the policy", () => api("POST", `${policy}/preview`, {})],
      [`the policy applied to ${((people * 4) / 5).toLocaleString("en")}`, apply],
      ["a second file that changes one in twenty", () => upload(true)],
      ["the policy applied again", apply],
      [`a template of ${(people / 5).toLocaleString("en")} revoked`, revoke],
      ["until every event is numbered and delivered", () => database.untilDelivered()],
    ];
    for (const [name, work] of parts) {
      // The credentials that are revoked later are issued before, outside of the measurement.
      if (work === revoke) await database.fillRecalled(place.recalled, Math.floor(people / 5));
      const started = performance.now();
      await work();
      const seconds = (performance.now() - started) / 1000;
      total += seconds;
      yield { name: `university: ${name}`, value: seconds, unit: "s" };
    }
  } finally {
    await load.stop();
  }
  const { p50, p99, done, peakMemory } = load.result();
  const timeAfter = await timeOf();
  const { events } = await database.counts();
  const bytes = await database.bodyLength();
  await database.close();
  await server.stop();
  const bare = await bareRun(servedUrl, bareUrl, place.orgId);
  const lookUps = await startBare(busyUrl);
  const bareLoad = await publicLoad(lookUps, place.codes, perSecond, "/");
  const busy = await bareRun(servedUrl, busyUrl, place.orgId, () => barePosts(listener.origin, events, bytes));
  await bareLoad.stop();
  await lookUps.stop();
  await listener.stop();
  for (const [name, seconds] of Object.entries(bare.parts))
    yield { name: `university, bare SQL: ${name}`, value: seconds, unit: "s" };
  for (const [name, seconds] of Object.entries(timeAfter))
    yield {
      name: `university: processor time of ${name}`,
      value: seconds - timeBefore[name as keyof typeof timeBefore],
      unit: "s",
      ...(name === "PostgreSQL" && { reference: { name: "bare SQL", value: bare.postgresTime } }),
    };
  yield {
    name: `university: ${count} people, all parts`,
    value: total,
    unit: "s",
    reference: { name: "the same rows by bare SQL on two connections", value: bare.seconds },
    target: { max: 2 },
  };
  yield {
    name: "university: the same rows by bare SQL, with the posts and look-ups that the work needs beside it",
    value: busy.seconds,
    unit: "s",
    reference: { name: "by bare SQL alone", value: bare.seconds },
  };
  yield { name: "university: events, each numbered and delivered", value: events, unit: "events" };
  yield {
    name: "university: resident memory of the server, peak",
    value: peakMemory / mebibyte,
    unit: "MB",
    target: { max: 1024 },
  };
  yield { name: `university: ${done.toLocaleString("en")} public verifications, p50`, value: p50, unit: "ms" };
  yield { name: "university: the same, p99", value: p99, unit: "ms", target: { max: 50 } };
  yield { name: "university: load of the machine at the end, one minute", value: loadavg()[0]!, unit: "processes" };
}

/** The processor time of this process, in seconds. */
const ownTime = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/** Makes the organisation with its key, templates, connector, policy and webhook endpoint. */
async function prepare(databaseUrl: string, people: number, listener: string) {
  const own = await organisation("university");
  const recalled = await publishTemplate(own.orgId, "Library card");
  const shown = await publishTemplate(own.orgId, "Alumni card");
  const ctx = context(own.orgId);
  const { id: connectorId } = await createConnector(ctx, {
    name: "Registry",
    type: "csv",
    mapping: {
      externalId: "student_id",
      displayName: "full_name",
      email: "email",
      attributes: { programme: "programme", year: "year" },
    },
  });
  const { id: policyId } = await createPolicy(ctx, {
    name: "Students",
    templateId: publicId("tpl", own.templateId),
    rule: { field: "attributes.programme", op: "eq", value: "Mathematics" },
    blastRadius: { percent: 100, count: Math.min(people, 1_000_000) },
  });
  await createWebhookEndpoint(ctx, { url: `${listener}/hooks`, eventTypes: [] });
  const shownCodes: string[] = [];
  for (let n = 0; n < codes; n++) {
    const subject = { externalId: `alumna-${n}`, displayName: `Alumna ${n}` };
    shownCodes.push(
      (await issueCredential(ctx, { subject, templateId: publicId("tpl", shown.templateId) })).credential.code,
    );
  }
  await closeDb();
  return { ...own, connectorId, policyId, recalled, codes: shownCodes };
}
