import fc from "fast-check";
import { publishAchievementVersion } from "@/server/achievements/publish-version";
import { createOAuthClient } from "@/server/access/create-oauth-client";
import { receiver } from "@/server/connectors/sftp/testing/receiver";
import { held, httpConnector } from "@/server/connectors/testing/runs";
import { scopes } from "@/server/core/scopes";
import { publicId, type Id } from "@/server/core/ids";
import { getOrganisation } from "@/server/organisations/get";
import { at, entries, isObject, type Json } from "@/server/http/openapi/json";
import { waitingClaim } from "@/server/claims/testing/claims";
import { nameConfirmation } from "@/server/confirmations/testing/confirmations";
import { nameRequest } from "@/server/holders/testing/holders";
import { haltedPolicy } from "@/server/policies/testing/halted";
import { scimConnector } from "@/server/scim/testing/connection";
import { createConnectorToken } from "@/server/scim/tokens/create";
import { draftAchievement, imageOf, publishedAchievement } from "../achievements";
import { issued, publishedTemplate } from "../credentials";
import { resourcesOf } from "../resources";
import { sql } from "../sql";
import { world, type World } from "../world";
import type { AnswerCheck, Received } from "./answers";
import { requests, type Described, type Draft } from "./requests";
import { Existing, type Value } from "./values";
import { photoOf } from "../photo";
import { suspendCredential } from "@/server/credentials/suspend";
import { sequenceBatch } from "@/server/consumers";
import { upsertSubject } from "@/server/subjects/upsert";
import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";

/** A request as it is sent. */
export interface Sent {
  method: string;
  target: string;
  headers: [string, string][];
  body: string | Buffer | undefined;
}

export type Transport = (sent: Sent) => Promise<Received>;

export interface Finding {
  operation: string;
  faults: string[];
  curl: string;
  answer: string;
}

export interface Told {
  findings: Finding[];
  /**
   * How often each operation gave each kind of response, e.g. "subjectsUpsert 201", "subjectsUpsert 409
   * external_id_taken".
   */
  counts: Map<string, number>;
}

/** How many values of a kind are remembered. Requests for older ones would find nothing new. */
const remembered = 200;

/** The resources of an organisation, learnt from its responses. */
class Pool {
  readonly #byKind = new Map<string, string[]>();
  /** The connector or policy of each run and token, and the policy of each person for whom it has an exception. */
  readonly #owners = new Map<string, string>();

  add(kind: string, value: string): void {
    const some = this.#byKind.get(kind) ?? [];
    if (some.includes(value)) return;
    some.push(value);
    if (some.length > remembered) some.shift();
    this.#byKind.set(kind, some);
  }

  pick(kind: string, n: number): string | undefined {
    if (kind.startsWith("owner of ")) return this.#owners.get(this.pick(kind.slice("owner of ".length), n) ?? "");
    const some =
      kind === "any"
        ? ["sub", "tpl", "crd", "whe", "key"].flatMap((each) => this.#byKind.get(each) ?? [])
        : (this.#byKind.get(kind) ?? []);
    // Mostly pick one of the newest, since later requests have changed those the least.
    const among = n % 4 === 0 ? some.length : Math.min(some.length, 8);
    return some[some.length - 1 - (n % Math.max(1, among))];
  }

  /** Forgets a deleted id, except one in four: those are requested again, to test requests for deleted resources. */
  forget(id: string, n: number): void {
    const some = this.#byKind.get(id.slice(0, 3));
    if (some && n % 4 !== 0) some.splice(some.indexOf(id), 1);
  }

  /** Learns ids, codes and similar values from a response. */
  learn(value: Json, name = ""): void {
    if (Array.isArray(value)) value.slice(0, 10).forEach((each) => this.learn(each, name));
    else if (isObject(value)) {
      const owner = value["connectorId"] ?? value["policyId"];
      if (typeof value["id"] === "string" && typeof owner === "string") this.#owners.set(value["id"], owner);
      if (value["object"] === "policy_exception") {
        this.add("excepted", String(value["subjectId"]));
        this.#owners.set(String(value["subjectId"]), String(owner));
      }
      Object.entries(value).forEach(([key, inner]) => this.learn(inner, key));
    } else if (typeof value === "string") {
      const prefix = /^([a-z]{3})_[0-9a-z]{26}$/.exec(value)?.[1];
      if (prefix && (name === "id" || name.endsWith("Id"))) this.add(prefix, value);
      if (name === "code" && /^[0-9A-Z-]{19}$/.test(value)) this.add("code", value);
      if (name === "externalId" || name === "photoUpdatedAt" || name === "planHash") this.add(name, value);
      if (name === "nextCursor") this.add("cursor", value);
    }
  }
}

const curlMax = 3000;

export function asCurl({ method, target, headers, body }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const command = [
    "curl -i -X",
    method,
    quoted(`http://localhost:3000${target}`),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${typeof body === "string" ? quoted(body) : "@file"}`]),
  ].join(" ");
  return command.length > curlMax ? `${command.slice(0, curlMax)}… (${command.length} characters)` : command;
}

/**
 * Sends generated requests one after the other as one organisation and checks each response. The same seed gives the
 * same requests. Later requests use the resources that earlier responses mention.
 * @param more how many further requests each operation gets at most that has not succeeded yet, until it does
 */
export async function runLane(
  document: Json,
  {
    seed,
    count,
    more,
    transport,
    check,
  }: { seed: number; count: number; more: number; transport(n: number): Transport; check: AnswerCheck },
): Promise<Told> {
  const [mine, other] = [await world(), await world()];
  const [own, foreign] = [new Pool(), new Pool()];
  for (const [pool, w] of [
    [own, mine],
    [foreign, other],
  ] as const)
    Object.values(await resourcesOf(w)).forEach((id) => pool.add(id.slice(0, 3), id));
  // No engine executes runs here, so these are the only held runs: some to approve, and some to cancel.
  for (let i = 0; i < 12; i++) {
    const { id: connectorId, run } = await held(mine.ctx);
    own.learn({ id: run, connectorId });
    own.learn({ id: (await httpConnector(mine.ctx)).id });
    own.learn({ id: (await receiver(mine.ctx)).id });
    own.learn({ id: (await waitingClaim(mine.ctx)).id });
    own.learn({ id: (await nameConfirmation(mine.ctx)).id });
    own.learn({ id: (await nameRequest(mine.ctx)).id });
    const { id: policyId, run: policyRun, planHash } = await haltedPolicy(mine.ctx);
    own.learn({ id: policyRun, policyId, planHash });
    own.learn({ ...(await createConnectorToken(mine.ctx, { id: (await scimConnector(mine.ctx)).id })) });
  }
  const organisation = await getOrganisation(mine.ctx, {});
  own.learn(organisation);
  own.add("issuer slug", organisation.slug);
  own.add("iky", await retiredKey(mine));
  const degree = await publishedTemplate(mine.ctx, { kind: "academic" });
  for (let i = 0; i < 12; i++) {
    const { id, code } = await issued(mine.ctx, degree.id);
    own.add("document id", id);
    own.add("document code", code);
    own.add("acv", (await publishedAchievement(mine.ctx)).version.id);
    own.add("ach", (await draftAchievement(mine.ctx)).id);
  }
  // Each has one live credential, which no other request revokes.
  for (let i = 0; i < 4; i++) {
    const { id } = await publishedTemplate(mine.ctx);
    await issued(mine.ctx, id);
    own.add("worn tpl", id);
  }
  const { id: suspendedTemplate } = await publishedTemplate(mine.ctx);
  for (let i = 0; i < 12; i++) {
    const { id } = await issued(mine.ctx, suspendedTemplate);
    await suspendCredential(mine.ctx, { id });
    own.add("suspended crd", id);
  }
  for (let i = 0; i < 4; i++) {
    const { subject } = await upsertSubject(mine.ctx, { externalId: `pictured-${i}` });
    const { photoUpdatedAt } = await photoOf(mine.ctx, subject.id);
    own.add("photoUpdatedAt", photoUpdatedAt!);
    own.add("pictured sub", subject.id);
  }
  for (let i = 0; i < 4; i++) {
    const { id } = await draftAchievement(mine.ctx);
    await imageOf(mine.ctx, id);
    own.add("pictured ach", id);
    own.add("pictured acv", (await publishAchievementVersion(mine.ctx, { id, version: 1 })).id);
  }
  const client = await createOAuthClient(mine.ctx, { name: "fuzz" });
  const tokens = {
    full: await mine.key(...scopes),
    narrow: await mine.key("events:read"),
    foreign: await other.key(),
    wrong: "svc_sk_live_wrong",
    none: undefined,
  };
  const operations: Described[] = entries(at(document, "paths")).flatMap(([path, item]) =>
    entries(item).map(([method, operation]) => ({ path, method, operation: operation as { [key: string]: Json } })),
  );
  const schemas = at(document, "components", "schemas") as { [name: string]: Json };
  const told: Told = { findings: [], counts: new Map() };
  const resolve = (value: Value): Json => {
    if (value instanceof Existing) {
      const isForeign = value.kind.startsWith("foreign ");
      return (isForeign ? foreign : own).pick(value.kind.replace("foreign ", ""), value.pick) ?? "none";
    }
    if (Array.isArray(value)) return value.map(resolve);
    // Object.fromEntries creates a key named __proto__ like any other key.
    return value !== null && typeof value === "object"
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]))
      : value;
  };
  const send = async (draft: Draft, n: number): Promise<void> => {
    const sent = build(draft, resolve, tokens[draft.token], { id: client.clientId, secret: client.clientSecret });
    const operation = String(draft.operation["operationId"]);
    const received = await transport(n)(sent).catch((error: unknown) => ({ failure: String(error) }));
    if ("failure" in received) {
      told.findings.push({
        operation,
        faults: [`there was no answer: ${received.failure}`],
        curl: asCurl(sent),
        answer: "",
      });
      return;
    }
    const faults = check.faults(draft.path, draft.method, received);
    if (faults.length > 0)
      told.findings.push({
        operation,
        faults,
        curl: asCurl(sent),
        answer: `${received.status} ${received.text.slice(0, 400)}`,
      });
    const outcome = `${operation} ${received.status >= 400 && !draft.path.startsWith("/oauth/") ? `${received.status} ${codeOf(received.text)}` : received.status}`;
    told.counts.set(outcome, (told.counts.get(outcome) ?? 0) + 1);
    if (draft.token !== "full") return;
    if (draft.method === "delete" && received.status === 204) own.forget(sent.target.split("/").at(-1)!, n);
    const etag = received.headers.get("etag");
    if (etag) own.add("etag", etag);
    if (received.status < 300 && received.text.startsWith("{")) own.learn(JSON.parse(received.text) as Json);
  };
  for (const [n, draft] of fc.sample(requests(operations, schemas), { seed, numRuns: count }).entries())
    await send(draft, n);
  // The endpoints of former deliveries are probably disabled or deleted by now.
  if (more > 0) for (const id of await freshDeliveries(mine)) own.add("dlv", id);
  for (const described of operations)
    for (const [n, draft] of fc.sample(requests([described], schemas), { seed, numRuns: more }).entries()) {
      if ([...told.counts.keys()].some((outcome) => outcome.startsWith(`${draft.operation["operationId"]} 2`))) break;
      await send(draft, n);
    }
  return told;
}

const codeOf = (text: string) => (text.startsWith("{") ? (JSON.parse(text) as { code?: string }).code : undefined);

function build(
  draft: Draft,
  resolve: (value: Value) => Json,
  token: string | undefined,
  client: { id: string; secret: string },
): Sent {
  const words = (value: Value) => {
    const resolved = resolve(value);
    return typeof resolved === "string" ? resolved : JSON.stringify(resolved);
  };
  const escaped = (text: string) => encodeURIComponent(text.toWellFormed());
  const path = draft.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escaped(words(draft.inPath[name]!)) || "none");
  const query = draft.inQuery.map(([name, value]) => `${escaped(name)}=${escaped(words(value))}`).join("&");
  const isPublic = !draft.path.startsWith("/v1/");
  // Remove the characters that HTTP cannot carry in a header, since they would never reach a server.
  const headers = draft.inHeaders.map(([name, value]): [string, string] => [
    name,
    words(value)
      .replaceAll(/[^\x20-\x7e\xa0-\xff]/g, "")
      .trim(),
  ]);
  const isJson = draft.raw !== undefined || draft.body !== undefined;
  const type = draft.rawType ?? (draft.form ? "application/x-www-form-urlencoded" : "application/json");
  if (isJson && !headers.some(([name]) => name === "Content-Type")) headers.push(["Content-Type", type]);
  if (token !== undefined && !isPublic) headers.push(["Authorization", `Bearer ${token}`]);
  if (draft.form && draft.token === "full")
    headers.push(["Authorization", `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString("base64")}`]);
  const body =
    draft.raw ??
    (draft.body === undefined
      ? undefined
      : draft.form
        ? asForm(resolve(draft.body))
        : JSON.stringify(resolve(draft.body)));
  return { method: draft.method.toUpperCase(), target: query === "" ? path : `${path}?${query}`, headers, body };
}

function asForm(body: Json): string {
  return isObject(body)
    ? new URLSearchParams(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === "string" ? value.toWellFormed() : JSON.stringify(value),
        ]),
      ).toString()
    : JSON.stringify(body);
}

/** Deliveries to an active endpoint. */
async function freshDeliveries({ ctx, orgId }: World): Promise<string[]> {
  const endpoint = await createWebhookEndpoint(ctx, { url: "http://127.0.0.1:49151/", eventTypes: [] });
  for (let i = 0; i < 8; i++) await upsertSubject(ctx, { externalId: `told-${i}` });
  while ((await sequenceBatch()).events > 0);
  const rows = await sql<{ id: Id<"dlv"> }>(
    `SELECT id FROM webhook_deliveries WHERE org_id = $1 AND endpoint_id = $2`,
    [orgId, endpoint.id],
  );
  return rows.map(({ id }) => publicId("dlv", id));
}

/** A key that signs nothing any more: revoking one that signs would keep the keys from being rotated for a minute. */
async function retiredKey({ orgId }: World): Promise<string> {
  const [key] = await sql<{ id: Id<"iky"> }>(
    `INSERT INTO issuer_keys (org_id, id, kind, public_key, created_at, activated_at, retired_at)
     SELECT org_id, uuidv7(), kind, 'z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp', created_at, created_at, created_at
     FROM issuer_keys WHERE org_id = $1 AND activated_at IS NOT NULL RETURNING id`,
    [orgId],
  );
  return publicId("iky", key!.id)!;
}
