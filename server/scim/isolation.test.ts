import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { Directory } from "./testing/directory";

/** The data that a directory wrote. */
interface Written {
  directory: Directory;
  users: string[];
  group: string;
}

let own: Written;
let sibling: Written;
let stranger: Written;

async function fill(directory: Directory, domain: string): Promise<Written> {
  const users: string[] = [];
  for (const name of ["ada", "bob"]) {
    const emails = [{ value: `${name}@shared.org`, type: "work", primary: true }];
    users.push((await directory.user(`${name}@${domain}`, { displayName: name, title: "Dr", emails })).id);
  }
  const members = [...users, "later"].map((value) => ({ value }));
  return { directory, users, group: (await directory.group("Staff", { externalId: "staff", members })).id };
}

// Two directories of one organisation and one of another, with equal people and groups.
beforeAll(async () => {
  const home = await world();
  own = await fill(await Directory.open(home), "own.org");
  sibling = await fill(await Directory.open(home), "sibling.org");
  stranger = await fill(await Directory.open(await world()), "own.org");
});

/** All stored people, groups and members of an organisation. */
async function storedOf({ directory: { world: its } }: Written): Promise<unknown> {
  const tables = ["subjects", "scim_users", "scim_groups", "group_members", "scim_pending_members", "scim_removals"];
  return Promise.all(
    tables.map((table) => sql(`SELECT t::text AS row FROM ${table} t WHERE org_id = $1 ORDER BY 1`, [its.orgId])),
  );
}

const word = fc.constantFrom("ada", "bob", "staff", "Dr", "later", "@", ".org", "%", "", "work");
const name = fc.constantFrom(
  "userName",
  "externalId",
  "displayName",
  "emails.value",
  "title",
  "id",
  "members",
  "groups.value",
  "meta.resourceType",
);
const filter = fc
  .array(
    fc
      .tuple(name, fc.constantFrom("eq", "ne", "co", "sw", "ew", "ge", "pr"), fc.oneof(word, fc.constant("foreign")))
      .map(([attribute, op, value]) => ({ attribute, op, value })),
    { minLength: 1, maxLength: 3 },
  )
  .chain((conditions) =>
    fc.constantFrom(" and ", " or ").map((by) => ({ by, conditions, negated: conditions.length % 2 === 0 })),
  );

it("no filter of a list or search finds anybody of another directory", { timeout: 120_000 }, async () => {
  const { directory } = own;
  const mine = new Set([...own.users, own.group]);
  const foreign = [...sibling.users, sibling.group, ...stranger.users, stranger.group];
  await fc.assert(
    fc.asyncProperty(filter, fc.nat(), async ({ by, conditions, negated }, n) => {
      const text = conditions
        .map(({ attribute, op, value }) => {
          const told = JSON.stringify(value === "foreign" ? foreign[n % foreign.length] : value);
          return op === "pr" ? `${attribute} pr` : `${attribute} ${op} ${told}`;
        })
        .join(by);
      const asked = negated ? `not (${text})` : text;
      const answers = await Promise.all([
        directory.scim("GET", `/Users?filter=${encodeURIComponent(asked)}`),
        directory.scim("GET", `/Groups?filter=${encodeURIComponent(asked)}`),
        directory.scim("POST", "/.search", { filter: asked }),
      ]);
      for (const answer of answers) {
        expect(answer.status).toBeLessThan(500);
        const { Resources = [], totalResults = 0 } = answer.json<{
          Resources?: { id: string }[];
          totalResults?: number;
        }>();
        expect([asked, Resources.map(({ id }) => id).filter((id) => !mine.has(id))]).toEqual([asked, []]);
        expect(totalResults).toBeLessThanOrEqual(mine.size);
        for (const id of foreign) expect(answer.text).not.toContain(id);
      }
    }),
    { numRuns: 150 },
  );
});

const path = fc.constantFrom(
  "members",
  "displayName",
  "externalId",
  "active",
  "emails",
  "userName",
  "groups",
  undefined,
);
const operation = fc.record(
  {
    op: fc.constantFrom("add", "Replace", "remove"),
    path,
    value: fc.oneof(
      fc.constantFrom<unknown>("staff", false, [], null, "ada@own.org"),
      fc.constantFrom("foreign-member", "foreign-value"),
      fc.dictionary(fc.constantFrom("id", "members", "displayName", "active", "groups", "__proto__"), fc.jsonValue(), {
        maxKeys: 3,
      }),
    ),
  },
  { requiredKeys: ["op"] },
);

it("no PATCH, PUT or DELETE changes anything of another directory", { timeout: 120_000 }, async () => {
  const { directory } = own;
  const foreign = [...sibling.users, sibling.group, ...stranger.users, stranger.group];
  const before = await storedOf(stranger);
  // In the same organisation, compare what the other directory sees and what is applied of it.
  const ofSibling = async () => {
    const { directory: theirs, users, group } = sibling;
    const answers = await Promise.all(["/Users", "/Groups"].map((path) => theirs.scim("GET", path)));
    const people = await Promise.all(users.map((id) => theirs.subject(id)));
    return [answers.map((answer) => answer.json()), people, await theirs.applied(group)];
  };
  const siblingBefore = await ofSibling();
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 4 }), fc.nat(), async (operations, n) => {
      const target = foreign[n % foreign.length]!;
      const Operations = operations.map(({ value, ...rest }) => ({
        ...rest,
        value: value === "foreign-member" ? [{ value: target }] : value === "foreign-value" ? target : value,
      }));
      const theirs = `/${target.startsWith("sub") ? "Users" : "Groups"}/${target}`;
      for (const [method, body] of [
        ["GET", undefined],
        ["PATCH", { Operations }],
        ["PUT", { userName: "x@own.org", displayName: "x", members: [] }],
        ["DELETE", undefined],
      ] as const) {
        const { status } = await directory.scim(method, theirs, body);
        // A request that cannot be parsed is refused before the resource is looked up.
        expect([method, status === 404 || (method === "PATCH" && status === 400)]).toEqual([method, true]);
      }
      for (const mine of [`/Users/${own.users[n % 2]!}`, `/Groups/${own.group}`])
        expect((await directory.scim("PATCH", mine, { Operations })).status).toBeLessThan(500);
    }),
    { numRuns: 80 },
  );
  expect(await ofSibling()).toEqual(siblingBefore);
  expect(await storedOf(stranger)).toEqual(before);
});
