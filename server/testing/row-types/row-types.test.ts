import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callSites, type CallSite } from "./call-sites";
import { arrayTypes, describeStatement } from "./describe";
import { fits, kindOfColumn, type Kind } from "./kinds";

/** Files with statements that are assembled from input, so that the source does not tell their texts. */
const assembled = [
  "inngest/embedded/claim.ts",
  "inngest/embedded/enqueue.ts",
  "inngest/embedded/housekeeping.ts",
  "server/achievements/list.ts",
  "server/admin/master-secret.ts",
  "server/admin/reencrypt.ts",
  "server/admin/reset-secret.ts",
  "server/claims/approve-claims.ts",
  "server/claims/list-claims.ts",
  "server/confirmations/list.ts",
  "server/connectors/list-runs.ts",
  "server/connectors/run/lost-values.ts",
  "server/connectors/run/next-rows.ts",
  "server/connectors/run/plan.ts",
  "server/connectors/run/stage.ts",
  "server/core/blobs/store.ts",
  "server/core/run-steps.ts",
  "server/credentials/fold-counts.ts",
  "server/credentials/list.ts",
  "server/credentials/transition.ts",
  "server/erasure/blank-events.ts",
  "server/events/list.ts",
  "server/groups/evaluate.ts",
  "server/groups/list.ts",
  "server/groups/preview.ts",
  "server/holders/list-name-requests.ts",
  "server/issuers/status/sign-list.ts",
  "server/messages/list.ts",
  "server/notifications/claim.ts",
  "server/notifications/send-account-mail.ts",
  "server/notifications/send-messages.ts",
  "server/policies/approve-run.ts",
  "server/policies/list-runs.ts",
  "server/policies/list.ts",
  "server/policies/matches.ts",
  "server/policies/outcome.ts",
  "server/policies/plan/causes.ts",
  "server/policies/plan/halt.ts",
  "server/policies/plan/outcomes.ts",
  "server/policies/preview.ts",
  "server/policies/run/grant.ts",
  "server/policies/run/lapses.ts",
  "server/policies/run/plan.ts",
  "server/policies/run/remove.ts",
  "server/policies/run/unfinished-run.ts",
  "server/reactions/sequence.ts",
  "server/retention/purge.ts",
  "server/scim/groups/find-users.ts",
  "server/scim/groups/list.ts",
  "server/scim/overview/list-drift.ts",
  "server/scim/overview/list-users.ts",
  "server/scim/removals/gate.ts",
  "server/scim/search-sorted.ts",
  "server/scim/users/list.ts",
  "server/scim/users/unwritten.ts",
  "server/subjects/find.ts",
  "server/subjects/list.ts",
  "server/subjects/search.ts",
  "server/subjects/write.ts",
  "server/templates/list.ts",
  "server/wallets/apple/push-devices.ts",
  "server/wallets/apple/settings.ts",
  "server/wallets/google/settings.ts",
  "server/wallets/google/update-passes.ts",
  "server/webhooks/deliveries/find-deliveries.ts",
  "server/webhooks/deliveries/resend.ts",
  "server/webhooks/dispatch/claim.ts",
  "server/webhooks/dispatch/health.ts",
  "server/webhooks/endpoints/disable-failing.ts",
];

/** Files that pass a statement on, with the row type of whoever calls them. */
const passing = ["inngest/embedded/store.ts", "server/core/look-up.ts", "server/core/run-steps.ts"];

let client: pg.Client;
let arrays: Set<number>;
let sites: CallSite[];

beforeAll(async () => {
  client = new pg.Client({ connectionString: process.env["DATABASE_URL"]! });
  await client.connect();
  arrays = await arrayTypes(client);
  sites = callSites();
});

afterAll(() => client.end());

/** The claims of a row type that PostgreSQL's description of the statement contradicts. */
async function faultsOf({ at, columns, texts = [] }: Pick<CallSite, "at" | "columns" | "texts">): Promise<string[]> {
  const faults = new Set<string>();
  for (const text of texts) {
    const returned = await describeStatement(client, text).catch((error: Error) => error);
    if (returned instanceof Error) {
      faults.add(`${at}: ${returned.message}`);
      continue;
    }
    const types = new Map(returned.map(({ name, type }) => [name, kindOfColumn(type, arrays.has(type))]));
    for (const [name, { kinds, isOptional }] of columns ?? []) {
      const kind = types.get(name);
      if (!kind && !isOptional) faults.add(`${at}: the statement returns no ${name}`);
      else if (kind && !fits(kind, kinds))
        faults.add(`${at}: ${name} is typed ${[...kinds].join(" or ")}, not ${kind}`);
    }
  }
  return [...faults];
}

it("the type of each row says what PostgreSQL says of the statement", async () => {
  const faults: string[] = [];
  for (const site of sites) faults.push(...(await faultsOf(site)));
  expect(faults).toEqual([]);
});

it("every statement is checked, except those that are assembled from input", () => {
  const files = (some: CallSite[]) => [...new Set(some.map(({ file }) => file))].sort();
  expect(files(sites.filter(({ columns, texts }) => columns && !texts))).toEqual(assembled);
  expect(files(sites.filter(({ columns }) => !columns))).toEqual(passing);
  expect(sites.filter(({ columns, texts }) => columns && texts).length).toBeGreaterThan(500);
});

it("a column that is missing or of another type is a fault", async () => {
  const column = (...kinds: Kind[]) => ({ kinds: new Set(kinds), isOptional: false });
  const check = (text: string, name: string, ...kinds: Kind[]) =>
    faultsOf({ at: "x", texts: [text], columns: new Map([[name, column(...kinds)]]) });
  const text = "SELECT count(*) AS n, '{}'::jsonb AS data, now() AS at, ARRAY['a'] AS list, 1::numeric AS exact";
  for (const [name, kind] of [
    ["n", "number"],
    ["data", "object"],
    ["data", "list"],
    ["at", "date"],
    ["list", "list"],
    ["exact", "string"],
  ] as const)
    expect(await check(text, name, kind)).toEqual([]);
  expect(await check(text, "count", "number")).toEqual(["x: the statement returns no count"]);
  expect(await check(text, "n", "string")).toEqual(["x: n is typed string, not number"]);
  expect(await check(text, "at", "date", "string")).toEqual(["x: at is typed date or string, not date"]);
  expect(await check(text, "exact", "number")).toEqual(["x: exact is typed number, not string"]);
  expect(await check("SELECT id FROM nowhere", "id", "string")).toEqual([expect.stringContaining("nowhere")]);
});
