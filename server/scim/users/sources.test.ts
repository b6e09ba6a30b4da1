import { beforeAll, describe, expect, it } from "vitest";
import { listScimRequests } from "../overview/list-requests";
import { flushRequests } from "../requests/record";
import { fallBackFromDeleted } from "@/server/connectors/fall-back-from-deleted";
import { Feed } from "@/server/connectors/testing/feed";
import { world, type World } from "@/server/testing/world";
import { enterpriseUrn } from "../protocol/schemas";
import { Directory } from "../testing/directory";

let w: World;
let a: Directory;
let c: Directory;
beforeAll(async () => {
  w = await world();
  a = await Directory.open(w);
  c = await Directory.open(w);
});

const emails = (value: string) => [{ value, type: "work", primary: true }];
const department = (value: string) => ({ [enterpriseUrn]: { department: value } });
const replace = (path: string, value: unknown) => ({ op: "replace", path, value });
const put = (of: Directory, id: string, body: object) => of.scim("PUT", `/Users/${id}`, body);
/** A person whom two directories provide. */
async function shared(key: string, [one, ofOne]: [Directory, object], [other, ofOther]: [Directory, object]) {
  const user = { userName: `${key}@example.org`, externalId: key };
  const { id } = await one.user(user.userName, { ...user, ...ofOne });
  await other.user(user.userName, { ...user, ...ofOther });
  return { id, user };
}

describe("a source that no longer provides a person decides nothing", () => {
  it("leaves the person to the other directory once it deletes them", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const { id, user } = await shared("left", [c, { displayName: "Of C" }], [first, { displayName: "Of A" }]);
    await first.scim("DELETE", `/Users/${id}`);
    await c.patch(id, [replace("displayName", "New"), { op: "add", path: "emails", value: emails("new@example.org") }]);
    expect(await c.subject(id)).toMatchObject({ displayName: "New", email: "new@example.org" });
    await c.patch(id, [replace("active", false)]);
    expect(await c.subject(id)).toMatchObject({ status: "inactive" });
    await c.scim("DELETE", `/Users/${id}`);
    await c.user(user.userName, user);
    expect(await c.subject(id)).toMatchObject({ status: "active" });
  });

  it("leaves the person to the directory once its full file lacks them", async () => {
    const feed = await Feed.open(w, { priority: 10, mode: "full", missing: "deactivate" });
    await feed.upload("id,name,mail,status,dept\nfiled,Of the file,,active,\nother,Other,,active,\n");
    const { id } = await c.user("filed@example.org", { externalId: "filed", displayName: "Of C" });
    expect(await c.subject(id)).toMatchObject({ displayName: "Of the file" });
    await feed.upload("id,name,mail,status,dept\nother,Other,,active,\n");
    await c.patch(id, [replace("displayName", "New"), replace("active", false)]);
    expect(await c.subject(id)).toMatchObject({ displayName: "New", status: "inactive" });
  });
});

describe("what a request writes", () => {
  it("is what changed, so that older values of one directory do not replace newer ones of the other", async () => {
    const old = { displayName: "Old", ...department("Old") };
    const { id, user } = await shared("changed", [c, old], [a, {}]);
    await a.patch(id, [replace("displayName", "Newer"), replace(`${enterpriseUrn}:department`, "Newer")]);
    const newer = { displayName: "Newer", attributes: { department: "Newer" } };
    await put(c, id, { ...user, ...old, nickName: "Nick" });
    expect(await a.subject(id)).toMatchObject(newer);
    await c.patch(id, [replace("active", "True")]);
    await c.patch(id, [replace("active", false)]);
    expect(await a.subject(id)).toMatchObject(newer);
  });

  it("restores what the person lost: a PATCH what it names, a PUT everything", async () => {
    const said = { displayName: "Ada", emails: emails("ada@example.org"), ...department("Mathematics") };
    const { id } = await a.user("drift@example.org", { externalId: "drift", ...said });
    const lose = () =>
      a.rest("PATCH", `/subjects/${id}`, { displayName: "X", email: null, attributes: { department: null } });
    await lose();
    await a.patch(id, [replace("emails", emails("ada@example.org"))]);
    expect(await a.subject(id)).toMatchObject({ displayName: "X", email: "ada@example.org" });
    await a.patch(id, [{ op: "replace", value: { [enterpriseUrn]: { department: "Mathematics" } } }]);
    expect(await a.subject(id)).toMatchObject({ displayName: "X", attributes: { department: "Mathematics" } });
    await lose();
    const version = (await a.scim("GET", `/Users/${id}`)).json<{ meta: { version: string } }>().meta.version;
    const again = await put(a, id, { userName: "drift@example.org", externalId: "drift", ...said });
    expect(again.json()).toMatchObject({ meta: { version } });
    expect(await a.subject(id)).toMatchObject({
      displayName: "Ada",
      email: "ada@example.org",
      attributes: { department: "Mathematics" },
    });
    await flushRequests();
    const [last] = (await listScimRequests(w.ctx, { id: a.id, only: "written", limit: 1 })).data;
    expect(last).toMatchObject({ method: "PUT", effect: { changed: 1 } });
  });

  it.each([
    ["a PUT that repeats everything", (id: string, user: object) => put(a, id, user)],
    ["a PATCH of active", (id: string) => a.patch(id, [replace("active", "True")])],
    ["a POST", (_: string, user: object) => a.scim("POST", "/Users", user)],
  ])("activates by %s a person who was deactivated here", async (name, send) => {
    const user = { userName: `${name.length}-again@example.org`, externalId: name, active: true };
    const { id } = await a.user(user.userName, user);
    await a.rest("PATCH", `/subjects/${id}`, { status: "inactive" });
    const sent = await send(id, user);
    expect([sent.status < 300, await a.subject(id)]).toMatchObject([true, { id, status: "active" }]);
    // An active person cannot be created again.
    expect((await a.scim("POST", "/Users", user)).status).toBe(409);
  });

  it("does not request again a removal that waits for approval", async () => {
    const careful = await Directory.open(w, { limits: { deactivations: 0, deactivationPercent: 0 } });
    const { id } = await careful.user("waits@example.org");
    for (let i = 0; i < 2; i++) await careful.patch(id, [replace("active", false)]);
    expect([(await careful.staged()).length, await careful.subject(id)]).toMatchObject([1, { status: "active" }]);
    await careful.rest("PATCH", `/connectors/${careful.id}`, { limits: { deactivations: 10, deactivationPercent: 0 } });
    await careful.patch(id, [replace("active", false)]);
    expect([(await careful.staged()).length, await careful.subject(id)]).toMatchObject([1, { status: "active" }]);
  });
});

describe("a value that a directory withdraws", () => {
  const both = { emails: emails("both@example.org"), ...department("Mathematics") };
  const here = { email: "both@example.org", attributes: { department: "Mathematics" } };
  const removals = [
    { op: "remove", path: "emails" },
    { op: "remove", path: `${enterpriseUrn}:department` },
  ];

  it("stays if another directory states it", async () => {
    const { id } = await shared("stands", [a, both], [c, both]);
    await c.patch(id, removals);
    expect(await a.subject(id)).toMatchObject(here);
    await c.patch(id, [replace("emails", emails("of-c@example.org"))]);
    expect(await a.subject(id)).toMatchObject({ email: "of-c@example.org" });
    await c.patch(id, removals);
    expect(await a.subject(id)).toMatchObject(here);
    await a.patch(id, removals);
    const { email, attributes } = await a.subject(id);
    expect([email, (attributes as Record<string, unknown>)["department"]]).toEqual([null, undefined]);
  });

  it("stays if a file states it, or if another source wrote another value since", async () => {
    const feed = await Feed.open(w, { mapping: { externalId: "id", email: "mail" } });
    const { id } = await a.user("fed@example.org", { externalId: "fed", ...both });
    await feed.upload("id,mail\nfed,both@example.org\n");
    await a.rest("PATCH", `/subjects/${id}`, { attributes: { department: "By hand" } });
    await a.patch(id, removals);
    expect(await a.subject(id)).toMatchObject({ email: "both@example.org", attributes: { department: "By hand" } });
  });

  it("is replaced by that of a directory with a higher number", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const { id } = await shared("yields", [first, both], [c, { emails: emails("of-c@example.org") }]);
    await first.patch(id, removals);
    expect(await c.subject(id)).toMatchObject({ email: "of-c@example.org" });
    await c.patch(id, [replace("emails", emails("newer@example.org"))]);
    expect(await c.subject(id)).toMatchObject({ email: "newer@example.org" });
    await first.patch(id, [replace("emails", emails("first@example.org"))]);
    await c.patch(id, [replace("emails", emails("newest@example.org"))]);
    expect(await c.subject(id)).toMatchObject({ email: "first@example.org" });
  });
});

describe("the values of a source that no longer provides a person", () => {
  const of = (name: string) => ({ displayName: name, emails: emails(`${name}@example.org`), ...department(name) });
  const values = (name: string) => ({
    displayName: name,
    email: `${name}@example.org`,
    attributes: { department: name },
  });
  const strict = { limits: { deactivations: 0, deactivationPercent: 0 } };

  it("give way to those of the next directory after a DELETE", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const { id } = await shared("departs", [first, { ...of("first"), title: "Of the first" }], [c, of("c")]);
    await c.patch(id, [replace("emails", emails("newer@example.org"))]);
    expect(await c.subject(id)).toMatchObject({ ...values("first"), attributes: { title: "Of the first" } });
    await first.scim("DELETE", `/Users/${id}`);
    const after = await c.subject(id);
    expect(after).toMatchObject({ ...values("c"), email: "newer@example.org", status: "active" });
    expect(after["attributes"]).not.toHaveProperty("title");
  });

  it("stay if another source wrote others since, if a file maps them, or if nobody else provides the person", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const feed = await Feed.open(w, { mapping: { externalId: "id", email: "mail" } });
    const { id } = await shared("stays", [first, of("first")], [c, { displayName: "c" }]);
    await feed.upload("id,mail\nstays,first@example.org\n");
    await first.rest("PATCH", `/subjects/${id}`, { attributes: { department: "By hand" } });
    await first.scim("DELETE", `/Users/${id}`);
    expect(await c.subject(id)).toMatchObject({
      displayName: "c",
      email: "first@example.org",
      attributes: { department: "By hand" },
    });
    const alone = await first.user("alone@example.org", of("first"));
    await first.scim("DELETE", `/Users/${alone.id}`);
    expect(await c.subject(alone.id)).toMatchObject({ ...values("first"), status: "inactive" });
  });

  it("are replaced after a deletion that a person approved, and not before", async () => {
    const first = await Directory.open(w, { priority: 10, ...strict });
    const { id, user } = await shared("approved", [first, of("first")], [c, of("c")]);
    await c.patch(id, [replace("active", false)]);
    await first.patch(id, [replace("active", true)]);
    await first.scim("DELETE", `/Users/${id}`);
    expect([(await first.staged()).length, await c.subject(id)]).toMatchObject([
      1,
      { ...values("first"), status: "active" },
    ]);
    await first.rest("POST", `/connectors/${first.id}/staged/approve`, {});
    expect(await c.subject(id)).toMatchObject({ ...values("c"), status: "inactive" });
    await c.scim("POST", "/Users", { ...user, ...of("c") });
  });

  it("are replaced after the connection is deleted, and stay if no directory states them", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const { id } = await shared("ended", [first, { ...of("first"), title: "Of the first" }], [c, of("c")]);
    await first.rest("DELETE", `/connectors/${first.id}`);
    while (await fallBackFromDeleted(new Date()));
    expect(await c.subject(id)).toMatchObject({
      ...values("c"),
      attributes: { department: "c", title: "Of the first" },
    });
  });

  it("are replaced set by set after the connection is deleted, even if a process ends in between", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const people: string[] = [];
    for (const n of [1, 2, 3]) people.push((await shared(`kept-${n}`, [first, of("first")], [c, of(`c-${n}`)])).id);
    await first.rest("DELETE", `/connectors/${first.id}`);
    const names = async () => Promise.all(people.map(async (id) => (await c.subject(id))["displayName"]));
    const seen: unknown[][] = [];
    do seen.push(await names());
    while (await fallBackFromDeleted(new Date(), 1));
    expect(seen.filter((each, n) => each.join() !== seen[n - 1]?.join())).toEqual([
      ["first", "first", "first"],
      ["c-1", "first", "first"],
      ["c-1", "c-2", "first"],
      ["c-1", "c-2", "c-3"],
    ]);
  });

  it("are replaced after a full file lacks the person, until the run is undone", async () => {
    const feed = await Feed.open(w, { priority: 10, mode: "full", missing: "keep" });
    const head = "id,name,mail,status,dept\n";
    await feed.upload(`${head}lacked,file,file@example.org,active,file\nother-1,Other,,active,\n`);
    const { id } = await c.user("lacked@example.org", { externalId: "lacked", ...of("c") });
    expect(await c.subject(id)).toMatchObject(values("file"));
    const run = await feed.upload(`${head}other-1,Other,,active,\n`);
    expect(await c.subject(id)).toMatchObject(values("c"));
    await feed.post(`/runs/${run.id}/undo`, {}, await w.key("connectors:approve", "connectors:run"));
    await feed.work();
    expect(await c.subject(id)).toMatchObject(values("file"));
  });
});

describe("precedence", () => {
  it("applies to values for a directory and to columns for a file", async () => {
    const first = await Directory.open(w, { priority: 10 });
    const silent = { displayName: "First" };
    const { id } = await shared("silent", [first, silent], [c, { displayName: "C", ...department("Of C") }]);
    expect(await c.subject(id)).toMatchObject({ displayName: "First", attributes: { department: "Of C" } });
    const feed = await Feed.open(w, { priority: 200 });
    await feed.upload("id,name,mail,status,dept\nsilent,File,file@example.org,,Of the file\n");
    expect(await c.subject(id)).toMatchObject({
      displayName: "First",
      email: "file@example.org",
      attributes: { department: "Of C" },
    });
    const strict = await Feed.open(w, { priority: 5, mapping: { externalId: "id", email: "mail" } });
    await strict.upload("id,mail\nsilent,\n");
    await c.patch(id, [replace("emails", emails("c@example.org"))]);
    expect(await c.subject(id)).toMatchObject({ email: null });
  });
});

describe("a new key that belongs to another person here", () => {
  it.each(["email", "never"])("is refused, with and without adoption (%s)", async (adopt) => {
    const own = await Directory.open(w, { adopt });
    const stranger = { externalId: `stranger-${adopt}`, displayName: "Stranger" };
    await own.rest("PUT", "/subjects", stranger);
    await own.rest("PUT", "/subjects", { externalId: `own-${adopt}`, displayName: "O", email: `${adopt}@example.com` });
    const { id } = await own.user(`${adopt}@example.com`, {
      externalId: `dir-${adopt}`,
      emails: emails(`${adopt}@example.com`),
    });
    const answer = await own.patch(id, [replace("externalId", stranger.externalId)]);
    expect([answer.status, answer.json()]).toMatchObject([409, { scimType: "uniqueness" }]);
    expect((await own.scim("GET", `/Users/${id}`)).json()).toMatchObject({ externalId: `dir-${adopt}` });
    const put = await own.scim("PUT", `/Users/${id}`, {
      userName: `${adopt}@example.com`,
      externalId: stranger.externalId,
    });
    expect(put.status).toBe(409);
    expect((await own.patch(id, [replace("externalId", `new-${adopt}`)])).status).toBe(200);
  });
});

describe("an attribute of the enterprise extension without its URN", () => {
  it("is written and shown under the extension, by POST, PUT and PATCH", async () => {
    const user = { userName: "bare@example.org", department: "One", manager: "boss-1", title: "Dr" };
    const { id, ...made } = await a.user(user.userName, user);
    const shown = (one: string, manager: string) => ({
      [enterpriseUrn]: { department: one, manager: { value: manager } },
    });
    expect(made).toMatchObject(shown("One", "boss-1"));
    expect(made).not.toHaveProperty("department");
    expect(await a.subject(id)).toMatchObject({ attributes: { department: "One" } });
    const patched = await a.patch(id, [
      replace("manager", { value: "boss-2" }),
      { op: "Replace", value: { Department: "Two" } },
    ]);
    expect(patched.json()).toMatchObject(shown("Two", "boss-2"));
    const put = await a.scim("PUT", `/Users/${id}`, {
      ...user,
      department: "X",
      [enterpriseUrn]: { DEPARTMENT: "Three" },
    });
    expect(put.json()).toMatchObject(shown("Three", "boss-1"));
    expect((await a.find('department eq "Three" and userName eq "bare@example.org"')).totalResults).toBe(1);
    await a.patch(id, [{ op: "remove", path: "department" }]);
    expect((await a.subject(id))["attributes"]).not.toHaveProperty("department");
  });
});

describe("a new given or family name", () => {
  const name = { formatted: "Old Name", givenName: "Old", familyName: "Name" };
  it("becomes the person's name unless the formatted one is restated", async () => {
    const { id } = await a.user("married@example.org", { name });
    expect(await a.subject(id)).toMatchObject({ displayName: "Old Name" });
    await a.patch(id, [replace("name.familyName", "Name"), replace("title", "Dr")]);
    expect(await a.subject(id)).toMatchObject({ displayName: "Old Name" });
    await a.patch(id, [replace("name.familyName", "Married")]);
    expect(await a.subject(id)).toMatchObject({ displayName: "Old Married" });
    await a.patch(id, [{ op: "replace", value: { name: { ...name, givenName: "New", formatted: "Dr New" } } }]);
    expect(await a.subject(id)).toMatchObject({ displayName: "Dr New" });
    await a.patch(id, [{ op: "replace", value: { name: { familyName: "Newer" } } }]);
    expect(await a.subject(id)).toMatchObject({ displayName: "New Newer" });
  });
});

describe("an invalid address", () => {
  it("is ignored, and the rest of the request is applied", async () => {
    const own = await Directory.open(await world());
    const { id } = await own.user("bad@example.org", { title: "Dr", emails: emails("user@localhost") });
    expect(await own.subject(id)).toMatchObject({ email: null, attributes: { title: "Dr" } });
    await own.patch(id, [replace("emails", emails("good@example.org"))]);
    for (const [i, bad] of ["<x@n.ex>", "user@localhost", "x"].entries()) {
      const patched = await own.patch(id, [replace("emails", emails(bad)), replace("title", `Prof ${i}`)]);
      expect([patched.status, patched.json()["emails"]]).toMatchObject([200, [{ value: bad }]]);
      expect(await own.subject(id)).toMatchObject({ email: "good@example.org", attributes: { title: `Prof ${i}` } });
    }
    await flushRequests();
    const told = (await listScimRequests(own.world.ctx, { id: own.id, only: "written", limit: 10 })).data;
    expect(told.map(({ effect }) => effect)).toEqual([
      ...Array.from({ length: 3 }, () => ({ changed: 1, ignored: 1 })),
      { changed: 1 },
      { created: 1, ignored: 1 },
    ]);
  });
});

describe("an empty address", () => {
  it("gives way to another one of the person, when it was sent empty and when it is cleared", async () => {
    const own = await Directory.open(await world());
    const home = { value: "home@example.org", type: "home" };
    const { id } = await own.user("empty@example.org", {
      emails: [{ value: null, type: "work", primary: true }, home],
    });
    expect(await own.subject(id)).toMatchObject({ email: "home@example.org" });
    await own.patch(id, [replace('emails[type eq "work"].value', "work@example.org")]);
    expect(await own.subject(id)).toMatchObject({ email: "work@example.org" });
    await own.patch(id, [{ op: "remove", path: 'emails[type eq "work"].value' }]);
    expect(await own.subject(id)).toMatchObject({ email: "home@example.org" });
  });
});
