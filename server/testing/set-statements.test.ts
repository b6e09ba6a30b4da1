import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openStore } from "@/inngest/embedded/store";
import { createGroup } from "@/server/groups/create";
import { closeDb, pool, queuePool } from "@/server/core/db";
import { readId, type Id } from "@/server/core/ids";
import { bulkCredentials } from "@/server/credentials/bulk";
import { createConnector } from "@/server/connectors/create";
import { sql } from "@/server/testing/sql";
import { publishedAchievement } from "./achievements";
import { publishedTemplate } from "./credentials";
import { ownDatabase } from "./own-database";
import { Meter } from "./set-statements/meter";
import { empty, fill, keepStatistics, large, type Home, type Span } from "./set-statements/rows";
import { setSites } from "./set-statements/sites";
import { world, type World } from "./world";
import { directoryCalls } from "./set-statements/directory-calls";
import { feedCalls } from "./set-statements/feed-calls";
import { Given, others, type Call, type Prepared } from "./set-statements/given";
import { deliveryCalls } from "./set-statements/delivery-calls";
import { issuingCalls } from "./set-statements/issuing-calls";
import { jobCalls } from "./set-statements/job-calls";
import { logCalls } from "./set-statements/log-calls";
import { peopleCalls } from "./set-statements/people-calls";
import { policyCalls } from "./set-statements/policy-calls";

/** The tables whose growth the code has reported. */
const grown = vi.hoisted(() => new Set<string>());
// noteGrowth() does not wait for its ANALYZE, so what a call reads would depend on the moment when that ends.
vi.mock("@/server/core/table-growth", () => ({ noteGrowth: (table: string) => void grown.add(table) }));

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
  // noteGrowth() does this when code inserts as many rows, and autovacuum does it for deliveries within a minute.
  for (const table of large) if (grown.has(table) || table === "webhook_deliveries") await sql(`ANALYZE ${table}`);
  expect((await measure(walk.calls(own, 200))).join("\n")).toBe("");
});

it("walks every statement under server/ and inngest/ that takes a set", () => {
  const statements = [...meter.statements];
  // Call a missing statement in a list of set-statements/, so that the rows that it reads are counted.
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

/** Calls everything that passes a set to a statement, on existing rows. */
class Walk {
  private constructor(private readonly prepared: Prepared) {}

  get home(): Home {
    return this.prepared.home;
  }

  static async prepare(world: World, home: Home, at: Date): Promise<Walk> {
    const vacant = await publishedTemplate(world.ctx);
    const asking = await publishedTemplate(world.ctx, { confirmName: true });
    const achievement = await publishedAchievement(world.ctx);
    const degree = await publishedTemplate(world.ctx, { kind: "academic", achievementId: achievement.id });
    const nobody = await createGroup(world.ctx, { name: "Nobody" });
    const ruled = await createGroup(world.ctx, { name: "Rule", rule: { field: "email", op: "exists" } });
    const walk = new Walk({
      world,
      home,
      vacant: vacant.id,
      asking: asking.id,
      degree: degree.id,
      groups: { empty: nobody.id, ruled: ruled.id },
      at,
      store: openStore(pool(), undefined),
      kept: {},
    });
    walks.push(walk);
    return walk;
  }

  async end(): Promise<void> {
    await this.prepared.store.work.end();
  }

  /** @param n how many rows each call is given. */
  calls(span: Span, n: number): Call[] {
    const given = new Given(this.prepared, span, n);
    return [
      ...issuingCalls(given),
      ...peopleCalls(given),
      ...feedCalls(given),
      ...policyCalls(given, span, n, () => given.ids("sub")),
      ...directoryCalls(
        given,
        given.ids("sub").map((id) => readId("sub", id)),
      ),
      ...logCalls(given),
      ...deliveryCalls(given),
      ...jobCalls(given),
    ];
  }
}
