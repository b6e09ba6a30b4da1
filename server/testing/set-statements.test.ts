import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enqueue, readTicks } from "@/inngest/embedded/enqueue";
import { purge } from "@/inngest/embedded/housekeeping";
import type { Registered } from "@/inngest/embedded/registry";
import { extendLeases as extendRuns, release } from "@/inngest/embedded/run-outcomes";
import { openStore, type Store } from "@/inngest/embedded/store";
import { actorNames } from "@/server/access/actor-names";
import { namesOf } from "@/server/access/names-of";
import { thingNames } from "@/server/access/thing-names";
import { flushKeyUse, noteKeyUse } from "@/server/access/last-used";
import { askAgain } from "@/server/confirmations/ask-again";
import { cancelConfirmations } from "@/server/credentials/cancel-confirmations";
import { exportCredentials } from "@/server/credentials/export";
import { countCredentials } from "@/server/credentials/counts";
import { credentialDays } from "@/server/credentials/daily";
import { foldCredentialCounts } from "@/server/credentials/fold-counts";
import { listCredentials } from "@/server/credentials/list";
import { reconcileCredentialCounts } from "@/server/credentials/reconcile-counts";
import { addGroupMembers } from "@/server/groups/add-members";
import { createGroup } from "@/server/groups/create";
import { deleteGroup } from "@/server/groups/delete";
import { foldGroupCounts } from "@/server/groups/fold-counts";
import { listGroupMembers } from "@/server/groups/list-members";
import { listStagedMembers } from "@/server/groups/list-staged-members";
import { groupNames } from "@/server/groups/names";
import { listGroupsOfSubject } from "@/server/groups/list-of-subject";
import { previewGroup } from "@/server/groups/preview";
import { reconcileGroupCounts } from "@/server/groups/reconcile-counts";
import { removeGroupMembers } from "@/server/groups/remove-members";
import { updateGroup } from "@/server/groups/update";
import { sendAccountMail } from "@/server/notifications/send-account-mail";
import { emptyFiles, importAll, uploadedArchive } from "@/server/photos/testing/archive";
import { listSubjects } from "@/server/subjects/list";
import { listAudit } from "@/server/access/list-audit";
import { listSecurityEvents } from "@/server/access/list-security-events";
import { flushSecurityEvents, recordSecurityEvent } from "@/server/access/security-events";
import { replaceRecoveryCodes } from "@/server/access/second-factor/recovery-codes";
import { closeDb, pool, queuePool, queueSql } from "@/server/core/db";
import { newId, newPublicId, publicId, readId, type Id, type IdPrefix } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import type { BulkAction } from "@/server/credentials/bulk-actions";
import { undoConnectorRun } from "@/server/connectors/undo-run";
import { approveConnectorRun } from "@/server/connectors/approve-run";
import { createConnector } from "@/server/connectors/create";
import { deleteConnector } from "@/server/connectors/delete";
import { getConnectorRun } from "@/server/connectors/get-run";
import { previewConnector } from "@/server/connectors/preview";
import { listReadAttributes } from "@/server/connectors/read-attributes";
import { listConnectorRemovals } from "@/server/connectors/list-run-removals";
import { runConnectorStep } from "@/server/connectors/run/step";
import { uploaded } from "@/server/connectors/testing/runs";
import { updateConnector } from "@/server/connectors/update";
import { runBulkChunk } from "@/server/credentials/bulk-run";
import { getCredential } from "@/server/credentials/get";
import { issueCredential } from "@/server/credentials/issue";
import { holdersOf } from "@/server/credentials/holders-of";
import { listBulkRows } from "@/server/credentials/list-bulk-rows";
import { peopleOfRows } from "@/server/credentials/people-of-rows";
import { applyClockToDueCredentials } from "@/server/credentials/sweep";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { eventTypes } from "@/server/events/catalogue";
import { listEvents } from "@/server/events/list";
import { sequenceBatch } from "@/server/consumers";
import { statusPlacesOf } from "@/server/issuers/status/entries";
import { loadEntry } from "@/server/holders/load-entry";
import { loadHome } from "@/server/holders/load-home";
import { beginSession } from "@/server/holders/session";
import { signList } from "@/server/issuers/status/sign-list";
import { applyPolicy } from "@/server/policies/apply";
import { createPolicy } from "@/server/policies/create";
import { previewPolicy } from "@/server/policies/preview";
import { policyRunOwners } from "@/server/policies/run-owners";
import { runPolicyStep } from "@/server/policies/run/step";
import { listMessages } from "@/server/messages/list";
import { queueExpiringMessages } from "@/server/messages/sweep-expiring";
import { claimNotifications } from "@/server/notifications/claim";
import { queueEndpointNotices } from "@/server/notifications/endpoint-notices";
import { purgeExpired } from "@/server/retention/purge";
import { bulkUpsertSubjects } from "@/server/subjects/bulk";
import { subjectNames } from "@/server/subjects/names";
import { upsertSubject } from "@/server/subjects/upsert";
import { connectionOf, loadScimConnector } from "@/server/scim/connection";
import { approveStagedRemovals } from "@/server/scim/removals/approve";
import { discardStagedRemovals } from "@/server/scim/removals/discard";
import { gate } from "@/server/scim/removals/gate";
import { readListQuery } from "@/server/scim/query";
import { searchScim } from "@/server/scim/search";
import { createConnectorToken } from "@/server/scim/tokens/create";
import { listConnectorTokens } from "@/server/scim/tokens/list";
import { createScimGroup } from "@/server/scim/groups/create";
import { readReports } from "@/server/connectors/sftp/receive/reports";
import { listScimGroups } from "@/server/scim/groups/list";
import { patchScimGroup } from "@/server/scim/groups/patch";
import { everything } from "@/server/scim/protocol/project";
import { createScimUser } from "@/server/scim/users/create";
import { deleteScimUser } from "@/server/scim/users/delete";
import { listScimUsers } from "@/server/scim/users/list";
import { patchScimUser } from "@/server/scim/users/patch";
import { findUnwritten } from "@/server/scim/users/unwritten";
import type { Ctx } from "@/server/core/context";
import { hashToken } from "@/server/core/secrets";
import { transaction } from "@/server/core/transaction";
import { sql } from "@/server/testing/sql";
import { recordVerificationEvents } from "@/server/verification/record-verification-events";
import { findByCode } from "@/server/verification/find-by-code";
import { applyWalletChanges } from "@/server/wallets/apply-changes";
import type { Attempt } from "@/server/webhooks/dispatch/attempt";
import { claimDeliveries, type Claimed } from "@/server/webhooks/dispatch/claim";
import { extendLeases } from "@/server/webhooks/dispatch/delivery-leases";
import { countDeliveries, findDeliveries } from "@/server/webhooks/deliveries/find-deliveries";
import { Health } from "@/server/webhooks/dispatch/health";
import { recordAttempts } from "@/server/webhooks/dispatch/record";
import { recoverWebhookEndpoint } from "@/server/webhooks/deliveries/recover";
import { resendWebhookDeliveries } from "@/server/webhooks/deliveries/resend";
import { cancelParkedDeliveries, parkPendingDeliveries } from "@/server/webhooks/endpoints/park-pending";
import { listEndpointStatistics } from "@/server/webhooks/endpoints/statistics";
import { Tally } from "@/server/webhooks/dispatch/tally";
import { publishedAchievement } from "./achievements";
import { publishedTemplate } from "./credentials";
import { photoOf } from "./photo";
import { ownDatabase } from "./own-database";
import { Meter } from "./set-statements/meter";
import { empty, fill, idOf, isOrdinary, keepStatistics, type Home, type Span } from "./set-statements/rows";
import { setSites } from "./set-statements/sites";
import { world, type World } from "./world";

/** A call that passes a set to statements, and how many rows it passes. */
interface Call {
  name: string;
  given: number;
  /** Limit of rows read for each given row, for calls that write more than usual for each. */
  each?: number;
  run: () => Promise<unknown>;
}

const others: Span = { from: 100_001, to: 300_000 };
const own: Span = { from: 301, to: 50_300 };
const few: Span = { from: 1, to: 300 };

/**
 * Limit of rows read for each given row: the row itself, what it refers to, what is written for it, and the checks of
 * its foreign keys.
 */
const rowsEach = 10;
/** The same limit in pages: each row read or written descends an index of three or four levels. */
const pagesEach = 400;

let dropDatabase: () => Promise<void>;
let url: string;
let meter: Meter;
const walks: Walk[] = [];

beforeAll(async () => {
  dropDatabase = await ownDatabase();
  url = process.env["DATABASE_URL"]!;
  await keepStatistics(url);
  meter = await Meter.start(url);
}, 60_000);

afterAll(async () => {
  await meter.end();
  for (const walk of walks) await walk.end();
  await dropDatabase();
}, 60_000);

it("reads few rows for each given row, in an organisation that statistics do not know yet", {
  timeout: 600_000,
}, async () => {
  const at = new Date();
  await fill(url, await home(await world()), others, at);
  await sql("ANALYZE");
  const fresh = await world();
  const walk = await Walk.prepare(fresh, await home(fresh), at);
  await fill(url, walk.home, own, at);
  expect((await measure(walk.calls(own, 200))).join("\n")).toBe("");
});

it("reads few rows for each given row, with plans made while the tables were empty", {
  timeout: 600_000,
}, async () => {
  await empty(url);
  await closeDb();
  const at = new Date();
  const first = await world();
  const walk = await Walk.prepare(first, await home(first), at);
  await fill(url, walk.home, few, at);
  // From the sixth execution on, PostgreSQL may keep a statement's plan for all values.
  for (let time = 0; time < 6; time++) for (const { run } of walk.calls(few, 2)) await run();
  // Hold the connections, so that their plans are kept however long filling the tables takes.
  const held = await Promise.all(
    [pool(), queuePool()].flatMap((each) => Array.from({ length: each.totalCount }, () => each.connect())),
  );
  await fill(url, walk.home, own, at);
  for (const connection of held) connection.release();
  expect((await measure(walk.calls(own, 200))).join("\n")).toBe("");
});

it("walks every statement under server/ and inngest/ that takes a set", () => {
  const statements = [...meter.statements];
  // Call a missing statement in Walk.calls(), so that the rows that it reads are counted.
  expect(setSites().filter(({ fragment }) => !statements.some((text) => text.includes(fragment)))).toEqual([]);
});

/** @returns the calls that read more than their limit. */
async function measure(calls: Call[]): Promise<string[]> {
  const greedy: string[] = [];
  for (const { name, given, each = rowsEach, run } of calls) {
    const { rows, pages } = await meter.reads(run);
    if (process.env["SHOW_READS"]) process.stderr.write(`READS ${name} ${given} ${rows} ${pages}\n`);
    if (rows > given * each + 500 || pages > given * pagesEach + 5000)
      greedy.push(`${name}: read ${rows} rows and ${pages} pages for ${given} given`);
  }
  return greedy;
}

/** Creates what the rows of an organisation refer to: a template, a finished bulk job and a group of everybody. */
async function home({ ctx, orgId }: World): Promise<Home> {
  const template = await publishedTemplate(ctx);
  const [version] = await sql<{ id: Id<"tpv"> }>(
    `SELECT id FROM template_versions WHERE org_id = $1 AND template_id = $2`,
    [orgId, template.id],
  );
  const { job } = await bulkCredentials(ctx, { action: "suspend", items: [{}], respondAsync: true });
  await sql(
    `UPDATE bulk_jobs SET state = 'completed', total = 1000000, succeeded = 1000000 WHERE org_id = $1 AND id = $2`,
    [orgId, job!.id],
  );
  const group = await createGroup(ctx, { name: "Everybody" });
  const directory = await createConnector(ctx, {
    name: "Directory",
    type: "scim",
    limits: { deactivations: 0, deactivationPercent: 0 },
  });
  return {
    orgId,
    templateId: readId("tpl", template.id),
    versionId: version!.id,
    jobId: readId("blk", job!.id),
    groupId: readId("grp", group.id),
    directoryId: readId("con", directory.id),
  };
}

/** The context of a directory that signs in with a token made for it. A connection has two at most. */
async function asDirectory(ctx: Ctx, id: string): Promise<Ctx> {
  const [token] = (await listConnectorTokens(ctx, { id })).data;
  return { ...ctx, actor: { type: "api_key", id: token?.id ?? (await createConnectorToken(ctx, { id })).id } };
}

/** Calls everything that passes a set to a statement, on existing rows. */
const shared = (credentialId: string) => ({
  type: "credential.shared" as const,
  channel: "link" as const,
  facts: {
    object: "verification" as const,
    credentialId,
    code: "0000-0000-0000-0000",
    result: "valid" as const,
    state: "active",
    reason: null,
    via: "page" as const,
    count: 1,
  },
});

class Walk {
  #next = 0;
  #directoryGroupId: string | undefined;

  private constructor(
    readonly world: World,
    readonly home: Home,
    /** A template of which nobody holds a credential. */
    readonly vacant: string,
    /** A template whose holders confirm their names, of which nobody holds a credential. */
    readonly asking: string,
    /** An academic template. */
    readonly degree: string,
    /** A static group without members, and a rule group that matches nobody. */
    readonly groups: { empty: string; ruled: string },
    readonly at: Date,
    readonly store: Store,
  ) {}

  static async prepare(world: World, home: Home, at: Date): Promise<Walk> {
    const vacant = await publishedTemplate(world.ctx);
    const asking = await publishedTemplate(world.ctx, { confirmName: true });
    const achievement = await publishedAchievement(world.ctx);
    const degree = await publishedTemplate(world.ctx, { kind: "academic", achievementId: achievement.id });
    const nobody = await createGroup(world.ctx, { name: "Nobody" });
    const ruled = await createGroup(world.ctx, { name: "Rule", rule: { field: "email", op: "exists" } });
    const walk = new Walk(
      world,
      home,
      vacant.id,
      asking.id,
      degree.id,
      { empty: nobody.id, ruled: ruled.id },
      at,
      openStore(pool(), undefined),
    );
    walks.push(walk);
    return walk;
  }

  async end(): Promise<void> {
    await this.store.work.end();
  }

  /** @param n how many rows each call is given. */
  calls(span: Span, n: number): Call[] {
    const { ctx, orgId } = this.world;
    const { at, home, vacant, asking, degree, groups, store } = this;
    const everybody = publicId("grp", home.groupId);
    // A rule that uses groups and texts of a list. Each call gets a different one, so that it is evaluated again.
    const rule = (value: string[]) => ({
      any: [
        { field: "externalId", op: "in", value },
        {
          all: [
            { field: "groups", op: "exists" },
            { field: "groups", op: "in", value: [everybody] },
            { field: "groups", op: "notIn", value: [groups.empty] },
            { field: "email", op: "exists" },
          ],
        },
      ],
    });
    // One evaluation reads 20,000 people.
    const window = Math.min(span.to - span.from, 20_000);
    this.#next = span.from;
    const numbers = (some = n) => this.#numbers(span, some);
    const ids = (prefix: IdPrefix, some = n) => numbers(some).map((each) => publicId(prefix, idOf(prefix, each, at)));
    const tenths = <P extends IdPrefix>(prefix: P, some = n) =>
      numbers(some).map((each) => idOf(prefix, Math.ceil(each / 10), at));
    const endpoints = [...new Set(tenths("whe"))];
    const many = Math.floor((span.to - span.from) / 200);
    const later = new Date(at.getTime() + 60_000);
    let claimed: Claimed[] = [];
    const bulk = (action: BulkAction, items: object[]) => () => bulkCredentials(ctx, { action, items });
    const suspended = ids("crd").map((id) => ({ id, reason: "r" }));
    const written = numbers().map((each) => ({ externalId: `x-${each}`, displayName: "y" }));
    const run = (f: Registered) => new Map([[f.id, f]]);
    const f: Registered = {
      id: `f${span.from}`,
      maxAttempts: 1,
      events: ["e"],
      schedules: [{ cron: "* * * * *" } as Registered["schedules"][number]],
    };
    return [
      { name: "one credential", given: 1, run: () => getCredential(ctx, { id: ids("crd", 1)[0]! }) },
      { name: "one verification", given: 1, run: () => findByCode(String(numbers(1)[0]).padStart(16, "0"), ctx.now) },
      { name: "record shares", given: n, run: () => recordVerificationEvents(ctx, ids("crd").map(shared)) },
      {
        name: "one issue",
        given: 1,
        run: () => issueCredential(ctx, { subject: { id: ids("sub", 1)[0]! }, templateId: vacant, ifExists: "return" }),
      },
      {
        name: "one upsert",
        given: 1,
        run: () => upsertSubject(ctx, { externalId: `x-${numbers(1)[0]}`, displayName: "z" }),
      },
      {
        name: "issue",
        given: n,
        each: 30,
        run: bulk(
          "issue",
          numbers().map((each) => ({ subject: { externalId: `x-${each}` }, templateId: vacant })),
        ),
      },
      {
        name: "issue by id",
        given: n,
        each: 30,
        run: bulk(
          "issue",
          ids("sub").map((id) => ({ subject: { id }, templateId: vacant })),
        ),
      },
      {
        name: "academic credentials that replace others, their places, and the list that shows it",
        given: n,
        each: 80,
        run: async () => {
          const items = ids("sub").map((id) => ({ subject: { id }, templateId: degree, ifExists: "replace" }));
          const { result } = await bulkCredentials(ctx, { action: "issue", items });
          const made = result!.data.map((row) => (row.ok && row.credential ? row.credential.id : ""));
          await bulk(
            "update",
            made.map((id) => ({ id, data: { note: "x" } })),
          )();
          await statusPlacesOf(
            ctx,
            made.map((id) => readId("crd", id)),
          );
          await signList(orgId, "degrees", "revocation", at);
        },
      },
      {
        name: "issue to subjects that are written",
        given: n,
        each: 30,
        run: bulk(
          "issue",
          numbers().map((each) => ({ subject: { externalId: `x-${each}`, displayName: "y" }, templateId: vacant })),
        ),
      },
      {
        name: "ask for names, ask again, and cancel",
        given: n,
        each: 80,
        run: async () => {
          const items = ids("sub").map((id) => ({ subject: { id }, templateId: asking }));
          const { result } = await bulkCredentials(ctx, { action: "issue", items });
          await bulk(
            "issue",
            items.map((each) => ({ ...each, ifExists: "replace" })),
          )();
          const asked = result!.data.flatMap((row) =>
            row.ok && row.nameConfirmation ? [readId("ncf", row.nameConfirmation.id)] : [],
          );
          await transaction((tx) => askAgain({ ...ctx, tx }, asked));
          await transaction((tx) => cancelConfirmations({ ...ctx, tx }, asked, "Left the programme"));
        },
      },
      {
        name: "rows of a job that asks for names",
        given: n,
        each: 80,
        run: async () => {
          const items = ids("sub", 50).map((id) => ({ subject: { id }, templateId: asking, ifExists: "return" }));
          const { job } = await bulkCredentials(ctx, { action: "issue", items, respondAsync: true });
          await runBulkChunk(at);
          await listBulkRows(ctx, { id: job!.id, limit: 100 });
        },
      },
      {
        name: "issue where one is held",
        given: n,
        each: 30,
        run: bulk(
          "issue",
          numbers().map((each) => ({
            subject: { externalId: `x-${each}` },
            templateId: publicId("tpl", home.templateId),
            ifExists: "replace",
          })),
        ),
      },
      { name: "suspend", given: n, run: bulk("suspend", suspended) },
      {
        name: "resume",
        given: n,
        run: bulk(
          "resume",
          suspended.map(({ id }) => ({ id })),
        ),
      },
      {
        name: "update",
        given: n,
        run: bulk(
          "update",
          suspended.map(({ id }) => ({ id, data: { room: 1 }, metadata: { box: 1 } })),
        ),
      },
      { name: "revoke", given: n, run: bulk("revoke", suspended) },
      {
        name: "queue a job",
        given: n,
        run: () =>
          bulkCredentials(ctx, {
            action: "issue",
            items: numbers().map((each) => ({ subject: { externalId: `x-${each}` }, templateId: vacant })),
            respondAsync: true,
          }),
      },
      { name: "issue in a job", given: n, each: 30, run: () => runBulkChunk(at) },
      {
        name: "queue a design for live credentials",
        given: n,
        run: () => this.#applyVersion(numbers().map((each) => idOf("crd", each, at))),
      },
      { name: "show a design on live credentials", given: n, run: () => runBulkChunk(at) },
      {
        name: "queue a revocation by template",
        given: n,
        run: () => this.#revokeByTemplate(numbers().map((each) => idOf("crd", each, at))),
      },
      { name: "revoke by template", given: n, run: () => runBulkChunk(at) },
      {
        name: "rows of a job",
        given: 100,
        run: () => listBulkRows(ctx, { id: publicId("blk", home.jobId), limit: 100 }),
      },
      {
        name: "holders of credentials",
        given: 2 * 100,
        run: () => holdersOf(ctx, ids("crd", 100)),
      },
      { name: "correct the counters", given: 3 * (span.to - span.from), run: () => reconcileCredentialCounts(at) },
      {
        name: "add members",
        given: n,
        run: () =>
          addGroupMembers(ctx, {
            id: groups.empty,
            subjectIds: ids("sub"),
            externalIds: written.slice(0, 1).map(({ externalId }) => externalId),
          }),
      },
      {
        name: "add members by external id",
        given: n,
        run: () => addGroupMembers(ctx, { id: groups.empty, externalIds: numbers().map((each) => `x-${each}`) }),
      },
      {
        name: "remove members",
        given: n,
        run: () => removeGroupMembers(ctx, { id: everybody, subjectIds: ids("sub") }),
      },
      {
        name: "evaluate a rule",
        given: window,
        run: () => updateGroup(ctx, { id: groups.ruled, rule: rule(numbers().map((each) => `x-${each}`)) }),
      },
      {
        name: "evaluate a rule that nobody matches any more",
        given: window,
        run: () => updateGroup(ctx, { id: groups.ruled, rule: rule([`none-${this.#next}`]) }),
      },
      {
        name: "count who matches a rule",
        given: span.to - span.from,
        run: () => previewGroup(ctx, { rule: { all: [rule(["none"]), { field: "groups", op: "exists" }] } }),
      },
      { name: "members of a group", given: 100, run: () => listGroupMembers(ctx, { id: everybody, limit: 100 }) },
      { name: "groups of a person", given: 10, run: () => listGroupsOfSubject(ctx, { id: ids("sub", 1)[0]! }) },
      {
        name: "people by their external ids",
        given: 100,
        run: () =>
          listSubjects(ctx, {
            externalId: numbers(Math.min(n, 100))
              .map((each) => `x-${each}`)
              .join(","),
            limit: 100,
          }),
      },
      { name: "people in a group", given: 100, run: () => listSubjects(ctx, { groupId: everybody, limit: 100 }) },
      {
        name: "delete a group",
        given: 10,
        run: async () => deleteGroup(ctx, { id: (await createGroup(ctx, { name: "Empty" })).id }),
      },
      { name: "correct the counters of groups", given: span.to - span.from, run: () => reconcileGroupCounts() },
      { name: "fold the counters of groups", given: 10, run: () => foldGroupCounts() },
      { name: "fold the counters", given: 2 * many, run: () => foldCredentialCounts() },
      // It reads the thousand rows that are due and none of the others.
      { name: "count credentials", given: 100, run: () => countCredentials(ctx, {}) },
      { name: "count by day", given: 10, run: () => credentialDays(ctx, {}) },
      { name: "list of credentials", given: 50, run: () => listCredentials(ctx, { kind: "membership", limit: 50 }) },
      {
        name: "a page of an export of credentials",
        given: 250,
        run: () => exportCredentials(ctx, { kind: "membership" }),
      },
      { name: "photo", given: 6, run: () => photoOf(ctx, ids("sub", 1)[0]!) },
      {
        name: "an archive of photos, none of which can be read",
        given: 20,
        each: 60,
        run: async () => {
          await uploadedArchive(ctx, emptyFiles(numbers(20).map((each) => `x-${each}.jpg`)));
          await importAll();
        },
      },
      {
        name: "search beyond ASCII, which looks at names",
        given: span.to - span.from,
        run: () => listSubjects(ctx, { q: "Zürich", limit: 50 }),
      },
      { name: "start and expire", given: 5 * many, run: () => applyClockToDueCredentials(at, 5 * many) },
      { name: "upsert", given: n, run: () => bulkUpsertSubjects(ctx, { items: written }) },
      { name: "upsert without a change", given: n, run: () => bulkUpsertSubjects(ctx, { items: written }) },
      // It reads the events that wait for a number: a few thousand, written by the earlier calls.
      { name: "erase", given: 2 * n, each: 17, run: () => eraseSubject(ctx, { id: ids("sub", 1)[0]!, reason: "r" }) },
      ...this.#feeds(n),
      ...this.#policy(span, n, () => ids("sub", n)),
      ...this.#directory(ids("sub").map((id) => readId("sub", id))),
      {
        name: "upsert new people, after an erasure",
        given: n,
        run: () => bulkUpsertSubjects(ctx, { items: numbers().map((each) => ({ externalId: `new-${each}` })) }),
      },
      {
        name: "names of subjects",
        given: Math.min(n, 100),
        run: () => subjectNames(ctx, { ids: ids("sub", Math.min(n, 100)) }),
      },
      {
        name: "people of refused rows",
        given: 2 * n,
        run: () =>
          peopleOfRows(ctx, [
            ...ids("sub").map((id) => ({ id })),
            ...numbers().map((each) => ({ externalId: `x-${each}` })),
          ]),
      },
      { name: "attributes that cards and rules read", given: 100, run: () => listReadAttributes(ctx, {}) },
      {
        name: "names of actors",
        given: Math.min(n, 100),
        run: () =>
          actorNames(ctx, {
            ids: (["usr", "key", "ocl"] as const).flatMap((prefix) =>
              tenths(prefix, Math.min(n, 33)).map((id) => publicId(prefix, id)),
            ),
          }),
      },
      {
        name: "names of things",
        given: 4 * Math.min(n, 25),
        run: () =>
          thingNames(ctx, {
            ids: (["grp", "con", "whe", "crd"] as const).flatMap((prefix) => ids(prefix, Math.min(n, 25))),
          }),
      },
      {
        name: "the holder's home",
        given: 10,
        run: async () => {
          const email = "walk@example.edu";
          await sql(`UPDATE subjects SET email = $3 WHERE org_id = $1 AND id = $2`, [
            orgId,
            tenths("sub", 1)[0],
            email,
          ]);
          await loadHome(await transaction((tx) => beginSession(tx, new Date(), email)), new Date());
          const token = newPublicId("req");
          await sql(
            `INSERT INTO address_proofs (id, purpose, email, from_email, token_hash, expires_at, created_at)
             VALUES (uuidv7(), 'home_address', 'new@example.org', $1, $2, now() + interval '1 hour', now())`,
            [email, hashToken(token)],
          );
          await loadEntry(token, new Date());
        },
      },
      {
        name: "names of groups",
        given: Math.min(n, 500),
        run: () => groupNames(ctx, { ids: ids("grp", Math.min(n, 500)) }),
      },
      {
        name: "policies of runs",
        given: Math.min(n, 100),
        run: () => policyRunOwners(ctx, { ids: ids("plr", Math.min(n, 100)) }),
      },
      {
        name: "names in a log",
        given: Math.min(n, 100),
        run: () =>
          namesOf(
            sql,
            orgId,
            (["usr", "key", "ocl"] as const).flatMap((prefix) =>
              tenths(prefix, Math.min(n, 33)).map((id) => publicId(prefix, id)),
            ),
          ),
      },
      { name: "recovery codes", given: 10, run: () => replaceRecoveryCodes(sql, tenths("usr", 1)[0]!, at) },
      { name: "security events", given: n, run: () => this.#recordSecurity(tenths("usr")) },
      {
        name: "audit log of some",
        given: span.to - span.from,
        run: () => listAudit(ctx, { actorId: "nobody,else", targetId: ids("sub", 2).join(",") }),
      },
      {
        name: "security events of a kind",
        given: n,
        run: () => listSecurityEvents(ctx, { type: "sign_in_failed", offset: 0 }),
      },
      {
        name: "mail to people",
        given: 1,
        run: () => sendAccountMail({ smtp: { host: "127.0.0.1", port: 1 }, from: "a@example.edu" }, () => at),
      },
      { name: "use of keys", given: 2 * n, run: () => this.#useKeys(tenths("key"), tenths("ocl")) },
      {
        name: "events by type",
        given: 100,
        run: () => listEvents(ctx, { type: "credential.expired,subject.deactivated", limit: 100 }),
      },
      {
        name: "count events by type",
        given: 2 * many,
        run: () => listEvents(ctx, { type: "credential.expired", limit: 1, offset: 0 }),
      },
      {
        name: "events of subjects",
        given: n,
        each: 30,
        run: () => listEvents(ctx, { relatedTo: ids("sub", Math.min(n, 100)).join(","), limit: 50 }),
      },
      { name: "number events", given: n + (span.to - span.from) / 10, run: () => sequenceBatch(n, at) },
      {
        name: "claim deliveries",
        given: 4 * endpoints.length,
        run: async () =>
          (claimed = await claimDeliveries(
            endpoints.map((endpointId) => ({ orgId, endpointId, slots: 2, after: null })),
            at,
            newId("req"),
          )),
      },
      { name: "extend leases", given: 2 * endpoints.length, run: () => extendLeases(claimed, at) },
      {
        name: "record attempts",
        given: 2 * endpoints.length,
        run: () => recordAttempts(claimed.map((delivery) => attemptAt(delivery, at))),
      },
      { name: "count attempts", given: 2 * endpoints.length, run: () => this.#tally(claimed) },
      { name: "health of endpoints", given: 2 * endpoints.length, run: () => this.#note(claimed) },
      { name: "resend", given: n, run: () => resendWebhookDeliveries({ ...ctx, now: later }, { ids: ids("dlv") }) },
      {
        name: "resend what is not there",
        given: n,
        run: () => resendWebhookDeliveries({ ...ctx, now: later }, { ids: numbers().map(() => newPublicId("dlv")) }),
      },
      {
        name: "recover",
        given: 100,
        run: () =>
          recoverWebhookEndpoint(ctx, { id: publicId("whe", endpoints[0]!), since: new Date(0).toISOString() }),
      },
      { name: "statistics of endpoints", given: 100, run: () => listEndpointStatistics(ctx, { limit: 100 }) },
      { name: "park", given: 100, run: () => this.#endEndpoint(endpoints.at(-1)!) },
      {
        name: "list deliveries",
        given: 40 * 50 * 2,
        run: () =>
          findDeliveries(
            sql,
            orgId,
            { type: [...eventTypes], status: ["failed", "parked"] },
            { take: 50, skip: 0, after: null },
          ),
      },
      {
        name: "list rare deliveries",
        given: 40 * 50 + (2 * (span.to - span.from)) / 10,
        run: () => findDeliveries(sql, orgId, { type: ["subject.created"] }, { take: 50, skip: 0, after: null }),
      },
      {
        name: "deliveries of events",
        given: n,
        run: () =>
          findDeliveries(
            sql,
            orgId,
            { eventId: numbers(Math.min(n, 100)).map((each) => idOf("evt", each, at)) },
            { take: 50, skip: 0, after: null },
          ),
      },
      {
        name: "deliveries to endpoints",
        given: 40 * 50 * 2,
        run: () =>
          findDeliveries(
            sql,
            orgId,
            { endpointId: endpoints.slice(0, 20), status: ["failed", "cancelled"] },
            { take: 50, skip: 0, after: null },
          ),
      },
      {
        name: "count deliveries",
        given: span.to - span.from,
        run: () => countDeliveries(sql, orgId, { type: ["subject.updated"] }),
      },
      {
        name: "queue notifications",
        given: (span.to - span.from + others.to - others.from) / 10,
        run: () => queueEndpointNotices(at),
      },
      { name: "claim notifications", given: 5, run: () => claimNotifications(later) },
      {
        name: "queue runs",
        given: n,
        run: () =>
          enqueue(
            store,
            run(f),
            new Set(["e"]),
            numbers().map((each) => ({
              id: `sent-${each}`,
              name: "e",
              data: { each },
              ts: 0,
              deduplicated: each % 2 === 0,
              delayMs: 0,
            })),
            randomUUID(),
          ),
      },
      { name: "read ticks", given: 1, run: () => readTicks(store, f) },
      { name: "extend runs", given: n, run: async () => extendRuns(store, await this.#runs(n), 1000) },
      { name: "release runs", given: n, run: async () => release(store, await this.#runs(n)) },
      { name: "remove old runs", given: n, run: () => purge(store) },
      { name: "remove what is old", given: 10 * many, run: () => purgeExpired(later, new Date(Date.now() + 60_000)) },
    ];
  }

  async #useKeys(keys: Id<"key">[], clients: Id<"ocl">[]): Promise<void> {
    for (const id of keys) noteKeyUse("api_key", this.world.orgId, id, this.at);
    for (const id of clients) noteKeyUse("oauth_client", this.world.orgId, id, this.at);
    await flushKeyUse();
  }

  async #recordSecurity(users: Id<"usr">[]): Promise<void> {
    for (const id of users)
      recordSecurityEvent({
        type: "sign_in_failed",
        account: { id },
        address: "192.0.2.1",
        requestId: "r",
        at: this.at,
      });
    await flushSecurityEvents();
  }

  async #applyVersion(ids: Id<"crd">[]): Promise<void> {
    const { ctx, orgId } = this.world;
    const id = newId("blk");
    const [version] = await sql<{ id: string }>(
      `SELECT id FROM template_versions WHERE org_id = $1 AND template_id = $2`,
      [orgId, readId("tpl", this.vacant)],
    );
    await sql(
      `INSERT INTO bulk_jobs (org_id, id, action, actor, scopes, params, total) VALUES ($1, $2, 'apply_version', $3, $4, '{}', $5)`,
      [orgId, id, ctx.actor, [...ctx.scopes], ids.length],
    );
    for (const [index, credential] of ids.entries())
      await sql(`INSERT INTO bulk_rows (org_id, job_id, "index", input) VALUES ($1, $2, $3, $4)`, [
        orgId,
        id,
        index,
        { uuid: credential, version: version!.id },
      ]);
  }

  async #revokeByTemplate(ids: Id<"crd">[]): Promise<void> {
    const { ctx, orgId } = this.world;
    const id = newId("blk");
    await sql(
      `INSERT INTO bulk_jobs (org_id, id, action, actor, params, total) VALUES ($1, $2, 'revoke_template', $3, '{"reason":"r"}', $4)`,
      [orgId, id, ctx.actor, ids.length],
    );
    for (const [index, credential] of ids.entries())
      await sql(`INSERT INTO bulk_rows (org_id, job_id, "index", input) VALUES ($1, $2, $3, $4)`, [
        orgId,
        id,
        index,
        { uuid: credential },
      ]);
  }

  async #tally(claimed: Claimed[]): Promise<void> {
    const tally = new Tally();
    tally.count(claimed.map((delivery) => attemptAt(delivery, this.at)));
    await tally.write();
  }

  async #note(claimed: Claimed[]): Promise<void> {
    const health = new Health(() => this.at);
    health.note(claimed.map((delivery) => attemptAt(delivery, new Date(this.at.getTime() + 3_600_000))));
    await health.write();
  }

  async #endEndpoint(endpointId: Id<"whe">): Promise<void> {
    const { orgId } = this.world;
    await sql(`UPDATE webhook_endpoints SET status = 'disabled' WHERE org_id = $1 AND id = $2`, [orgId, endpointId]);
    await parkPendingDeliveries(queueSql, { orgId, endpointId }, this.at);
    await sql(`UPDATE webhook_endpoints SET deleted_at = now() WHERE org_id = $1 AND id = $2`, [orgId, endpointId]);
    await cancelParkedDeliveries(queueSql, { orgId, endpointId }, this.at);
  }

  #runs(some: number): Promise<{ id: string; claimId: string }[]> {
    return sql(
      `INSERT INTO engine_runs (function_id, event, state, due_at, claim_id, lease_until, created_at)
       SELECT 'g', '{}', 'running', now(), gen_random_uuid(), now(), now() FROM generate_series(1, $1) RETURNING id, claim_id AS "claimId"`,
      [some],
    );
  }

  /**
   * Runs of connectors: with new people, with invalid and inactive ones, with a file that lacks people, and an
   * approval.
   */
  #feeds(n: number): Call[] {
    const { ctx } = this.world;
    // Separate people, so that no run ends a person whom another connector provides.
    const tag = newPublicId("req");
    const text = (from: number, to: number, status = "active") =>
      Array.from({ length: to - from }, (_, i) => `${tag}-${from + i},x,${status}\n`).join("");
    const header = "id,name,status\n";
    const inClass = (name: string, to = n) =>
      Array.from({ length: to }, (_, i) => `${tag}-class-${i},${name},active\n`).join("");
    let id = "";
    let classes = "";
    let regrouped = "";
    let held = "";
    const run = async (body: string, connector = id) => {
      const { id: queued } = await uploaded(ctx, connector, header + body);
      while (await runConnectorStep(new Date()));
      return queued;
    };
    const takeBack = async (queued: string, connector = id) => {
      await undoConnectorRun(ctx, { id: connector, run: queued });
      while (await runConnectorStep(new Date()));
    };
    const change = (body: object) => updateConnector(ctx, { id, ...body });
    return [
      {
        name: "a file of new people",
        run: async () => {
          ({ id } = await createConnector(ctx, {
            name: "Feed",
            type: "csv",
            mapping: { externalId: "id", displayName: "name", status: "status" },
            missing: "deactivate",
            limits: { deactivations: 1_000_000 },
          }));
          await run(text(0, n));
        },
      },
      {
        name: "a file of people who are inactive or twice in it",
        run: () => run(text(0, n / 2) + text(n / 2, n, "inactive") + text(0, 1)),
      },
      { name: "a file that misses people", run: () => run(text(0, Math.ceil(n / 4))) },
      {
        name: "a file that has lost its names",
        run: () => run(text(0, n).replaceAll(",x,", ",,")),
      },
      {
        name: "a preview of a file that changes people and misses others",
        run: async () => {
          await run(text(0, n));
          const content = header + text(0, n / 2).replaceAll(",x,", ",y,") + text(2 * n, 2 * n + 5);
          const { counts } = await previewConnector(ctx, { connectorId: id, content });
          expect(counts).toMatchObject({ updated: n / 2, created: 5, deactivated: n / 2 });
        },
      },
      {
        name: "a run of changes that is taken back",
        run: async () => takeBack(await run(text(0, n).replaceAll(",x,", ",z,"))),
      },
      {
        name: "a run that misses people, and is taken back",
        run: async () => takeBack(await run(text(0, Math.ceil(n / 4)))),
      },
      {
        name: "a run of new people who are deleted again",
        run: async () => {
          await change({ mode: "delta" });
          await takeBack(await run(text(2 * n, 3 * n)));
          await change({ mode: "full" });
        },
      },
      {
        name: "a run of another connector that adopts people and rejects some, and is taken back",
        // The people are written twice, and the undo looks each of them up in each run of the last seven days.
        given: 2 * n,
        run: async () => {
          const { id: other } = await createConnector(ctx, {
            name: "Adopts",
            type: "csv",
            mapping: { externalId: "id", displayName: "name", status: "status" },
            adopt: "externalId",
          });
          const known = Array.from({ length: n }, (_, i) => `${tag}-known-${i}`);
          await bulkUpsertSubjects(ctx, { items: known.map((externalId) => ({ externalId, displayName: "k" })) });
          const rows = known.map((externalId) => `${externalId},x,active\n`).join("");
          await takeBack(await run(rows + text(n, n + 5, "unknown"), other), other);
        },
      },
      {
        name: "a file of new people in groups",
        run: async () => {
          ({ id: classes } = await createConnector(ctx, {
            name: "Classes",
            type: "csv",
            mapping: { externalId: "id", status: "status", attributes: { state: "status" }, groups: ["name"] },
            missing: "deactivate",
            limits: { deactivations: 1_000_000 },
          }));
          await run(inClass("1a"), classes);
        },
      },
      {
        name: "a preview of a file whose people change groups",
        run: async () => {
          const { counts } = await previewConnector(ctx, { connectorId: classes, content: header + inClass("2b") });
          expect(counts).toMatchObject({ updated: n });
        },
      },
      {
        name: "a file whose people change groups",
        run: async () => {
          regrouped = await run(inClass("2b"), classes);
        },
      },
      { name: "a run whose people changed groups is taken back", run: () => takeBack(regrouped, classes) },
      {
        name: "a file that misses people in groups, with rows that are refused when they are written",
        run: async () => {
          const big = { attributes: { big: "x".repeat(65_515) }, attributesMode: "replace" as const };
          await bulkUpsertSubjects(ctx, {
            items: [0, 1].map((i) => ({ externalId: `${tag}-class-${i}`, ...big })),
          });
          const queued = await run(inClass("3c", n / 2), classes);
          const { counts } = await getConnectorRun(ctx, { id: classes, run: queued });
          expect(counts.rejected).toBeGreaterThan(0);
        },
      },
      {
        name: "a file whose removals are held",
        run: async () => {
          await run(text(0, n));
          await change({ limits: { deactivations: 0, deactivationPercent: 0 } });
          held = await run(text(0, n / 2) + text(n / 2, (3 * n) / 4, "inactive"));
        },
      },
      {
        name: "a file of changes while a run is held",
        run: async () => {
          await change({ mode: "delta" });
          await run(text(n - 1, n));
        },
      },
      {
        name: "an approval",
        run: async () => {
          const { data } = await listConnectorRemovals(ctx, { id, run: held });
          expect(data).not.toEqual([]);
          await approveConnectorRun(ctx, { id, run: held, expectedCount: n / 2 - 1 });
          while (await runConnectorStep(new Date()));
        },
      },
    ].map((call) => ({ given: n, each: 60, ...call }));
  }

  /** A policy for the members of a group, of whom half leave: a run looks at everybody, whoever is meant. */
  #policy({ from, to }: Span, n: number, members: () => string[]): Call[] {
    const { ctx } = this.world;
    let id = "";
    let left: string[] = [];
    const blastRadius = { percent: 100, count: 1_000_000 };
    const apply = async () => {
      await applyPolicy(ctx, { id });
      while (await runPolicyStep(new Date()));
    };
    let template = "";
    return [
      {
        name: "a policy that issues",
        run: async () => {
          const { id: groupId } = await createGroup(ctx, { name: "Meant" });
          const subjectIds = members();
          await addGroupMembers(ctx, { id: groupId, subjectIds });
          ({ id: template } = await publishedTemplate(ctx));
          ({ id } = await createPolicy(ctx, { name: "Walked", templateId: template, groupId, blastRadius }));
          await apply();
          left = subjectIds.slice(n / 2);
          await removeGroupMembers(ctx, { id: groupId, subjectIds: left });
        },
      },
      { name: "the preview of a policy", run: () => previewPolicy(ctx, { id }) },
      { name: "a policy that suspends", run: apply },
      {
        name: "a policy that takes over what another suspended",
        run: async () => {
          const found = await sql<{ external_id: string }>(
            `SELECT external_id FROM subjects WHERE org_id = $1 AND id = ANY($2)`,
            [ctx.orgId, left.map((each) => readId("sub", each))],
          );
          const rule = { field: "externalId", op: "in", value: found.map((row) => row.external_id) };
          ({ id } = await createPolicy(ctx, { name: "Next", templateId: template, rule, blastRadius }));
          await apply();
        },
      },
    ].map((call) => ({ ...call, given: to - from }));
  }

  /** A directory that removes these people: they wait, and are discarded; then they wait again, and are approved. */
  #directory(people: Id<"sub">[]): Call[] {
    const { ctx } = this.world;
    const id = publicId("con", this.home.directoryId);
    const stage = async () => {
      const connection = await loadScimConnector(ctx, this.home.directoryId);
      await transaction((tx) =>
        gate(
          { ...ctx, tx },
          connection,
          people.map((subjectId) => ({ subjectId, cause: "status" })),
        ),
      );
    };
    return [
      { name: "removals of a directory", run: stage },
      { name: "removals that are discarded", run: () => discardStagedRemovals(ctx, { id }) },
      { name: "removals that wait again", run: stage },
      { name: "removals that are approved", run: () => approveStagedRemovals(ctx, { id }) },
      {
        name: "somebody whom a person activates, and a connector that is deleted",
        run: async () => {
          const [someone] = await sql<{ external_id: string }>(
            `SELECT external_id FROM subjects WHERE org_id = $1 AND id = $2`,
            [this.world.orgId, people[0]],
          );
          for (const status of ["inactive", "active"] as const)
            await bulkUpsertSubjects(ctx, { items: [{ externalId: someone!.external_id, status }] });
          const unused = await createConnector(ctx, { name: "Unused", type: "scim" });
          await deleteConnector(ctx, { id: unused.id });
        },
      },
      ...this.#directoryGroup(people, id),
      {
        name: "passes of credentials that changed",
        run: async () => {
          await sql(
            `INSERT INTO wallet_changes (org_id, id, credential_id, created_at) SELECT $1, uuidv7(), id, now() FROM (SELECT id FROM credentials WHERE org_id = $1 LIMIT 500) AS taken`,
            [this.world.orgId],
          );
          while ((await applyWalletChanges(new Date())).more);
        },
      },
      {
        name: "messages that a template asks for",
        run: async () => {
          await sql(`UPDATE templates SET message_kinds = '{expiring,revoked}' WHERE org_id = $1 AND id = $2`, [
            this.world.orgId,
            this.home.templateId,
          ]);
          await queueExpiringMessages(new Date(), new Date(Date.now() + 60_000));
          await listMessages(ctx, { state: "pending,sent", templateId: `${id},${id}x` });
          await sql(`UPDATE templates SET message_kinds = '{}' WHERE org_id = $1`, [this.world.orgId]);
        },
      },
      {
        name: "what a sender of files sees",
        run: () =>
          readReports({
            orgId: this.world.orgId,
            connectorId: readId("con", id),
            user: "files",
            hash: null,
            publicKeys: [],
          }),
      },
      {
        name: "a list of users by an address, and by a group",
        run: async () => {
          const directory = await asDirectory(ctx, (await createConnector(ctx, { name: "Few", type: "scim" })).id);
          for (const filter of ['emails.value eq "a@example.org"', 'emails[type eq "work"].value eq "a@example.org"'])
            await listScimUsers(directory, { query: readListQuery({ filter }) });
          await listScimUsers(directory, { query: readListQuery({ filter: 'groups.value eq "none"' }) });
          await searchScim(directory, { query: readListQuery({ sortBy: "displayName" }) });
          // The actor has no connection of its own: the default one sees everybody.
          await listScimUsers(ctx, { query: readListQuery({ filter: 'userName eq "x-7"' }) });
          const [one] = await sql<{ name: string }>(
            `SELECT external_id AS name FROM subjects WHERE org_id = $1 LIMIT 1`,
            [this.world.orgId],
          );
          const filter = `userName eq ${JSON.stringify(one!.name)}`;
          await listScimUsers(ctx, { query: readListQuery({ filter, sortBy: "emails" }) });
          await findUnwritten(ctx, await connectionOf(ctx), { keys: ["x-7"] });
        },
      },
    ].map((call) => ({ given: people.length, each: 70, ...call }));
  }

  /** A group of a directory that these people are in: they are taken out and put back, and wait for a person. */
  #directoryGroup(people: Id<"sub">[], connector: string): Call[] {
    const { ctx } = this.world;
    let directory: Ctx;
    // One group for all walks of an organisation: more groups would be more rows for statements about groups.
    let id = this.#directoryGroupId ?? "";
    const isThere = id !== "";
    const members = people.map((each) => ({ value: publicId("sub", each) }));
    const patch = (op: string, value: object[]) =>
      patchScimGroup(directory, {
        id,
        body: { Operations: [{ op, path: "members", value }] } as never,
        projection: everything,
      });
    const allow = (removals: number) =>
      sql(
        `UPDATE connectors SET limits = jsonb_build_object('deactivations', $3::int, 'deactivationPercent', 0) WHERE org_id = $1 AND id = $2`,
        [this.world.orgId, readId("con", connector), removals],
      );
    const user = newPublicId("req");
    return [
      {
        name: "a group of a directory",
        run: async () => {
          directory = await asDirectory(ctx, connector);
          if (id) return patch("add", [...members, { value: user }]);
          const body = { displayName: user, members: [...members, { value: user }] };
          ({ id } = await createScimGroup(directory, { body: body as never, projection: everything }));
          this.#directoryGroupId = id;
        },
      },
      {
        name: "a policy of the group, with how many it means",
        // Everybody is asked whether they are in the group.
        given: 50_000,
        run: async () => {
          if (isThere) return;
          const { id: templateId } = await publishedTemplate(ctx);
          await createPolicy(ctx, { name: "Of a directory", templateId, groupId: id });
        },
      },
      {
        name: "a user for whom a group waits",
        run: async () => {
          const body = { userName: user, externalId: user } as never;
          const made = await createScimUser(directory, { body, projection: everything });
          const Operations = [{ op: "replace", path: "externalId", value: `${user}-again` }];
          await patchScimUser(directory, { id: made.id, body: { Operations } as never, projection: everything });
        },
      },
      { name: "members who are taken out", run: () => patch("remove", members) },
      { name: "members who are put back", run: () => patch("add", members) },
      { name: "members who are replaced by nobody", run: () => patch("replace", []) },
      { name: "memberships that are discarded", run: () => discardStagedRemovals(ctx, { id: connector }) },
      {
        name: "members who are unknown",
        run: () =>
          patch(
            "remove",
            members.map(() => ({ value: newPublicId("sub") })),
          ),
      },
      {
        name: "members who are taken out again, within the limit, and wait since they were discarded",
        run: async () => {
          await allow(members.length);
          await patch("remove", members.slice(1));
          await allow(0);
        },
      },
      {
        name: "members whose removal waits",
        run: () =>
          listStagedMembers(ctx, { id, subjectIds: people.slice(0, 100).map((each) => publicId("sub", each)) }),
      },
      { name: "memberships that are approved", run: () => approveStagedRemovals(ctx, { id: connector }) },
      {
        name: "groups of a directory by a member",
        run: async () => {
          await listScimGroups(directory, {
            query: readListQuery({ filter: `members.value eq "${members[0]!.value}"` }),
          });
          await createScimGroup(directory, {
            body: { displayName: newPublicId("req") } as never,
            projection: everything,
          });
          await listScimGroups(directory, { query: readListQuery({}) });
        },
      },
      {
        name: "a user who is deleted, and leaves groups when a person approves",
        run: async () => {
          await deleteScimUser(directory, { id: members[0]!.value });
          await approveStagedRemovals(ctx, { id: connector });
        },
      },
    ].map((call) => ({ given: people.length, each: 70, ...call }));
  }

  /** Returns ordinary rows, at a distance from one another, that no earlier call was given. */
  #numbers({ from, to }: Span, some: number): number[] {
    const found: number[] = [];
    while (found.length < some) {
      this.#next += 7;
      if (this.#next > to) this.#next = from + (this.#next - to);
      if (isOrdinary(this.#next)) found.push(this.#next);
    }
    return found;
  }
}

function attemptAt(delivery: Claimed, at: Date): Attempt {
  return {
    id: newId("att"),
    delivery,
    outcome: "retry",
    retryAt: at,
    startedAt: at,
    requestHeaders: {},
    address: null,
    statusCode: null,
    errorClass: "internal",
    errorDetail: null,
    durationMs: 1,
    responseHeaders: {},
    responseBody: null,
    responseTruncated: false,
  };
}
