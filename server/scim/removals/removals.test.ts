import { beforeEach, describe, expect, it } from "vitest";
import { auditOf } from "@/server/testing/audit";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { Directory } from "../testing/directory";

let w: World;
let directory: Directory;
let people: { id: string }[];
beforeEach(async () => {
  w = await world();
  directory = await Directory.open(w, { limits: { deactivations: 2, deactivationPercent: 0 } });
  people = [];
  for (let n = 0; n < 5; n++)
    people.push(await directory.user(`p-${n}@example.org`, { externalId: `p-${n}`, displayName: `Person ${n}` }));
});
const deactivate = (n: number) => directory.patch(people[n]!.id, [{ op: "replace", path: "active", value: false }]);
const remove = (n: number) => directory.scim("DELETE", `/Users/${people[n]!.id}`);
const statuses = async () => Promise.all(people.map(async ({ id }) => (await directory.subject(id))["status"]));
const decide = (verb: "approve" | "discard", body: object = {}) =>
  directory.rest("POST", `/connectors/${directory.id}/staged/${verb}`, body);

describe("deactivations beyond the limit", () => {
  it("are answered as done, and wait for a person", async () => {
    const answers = [await deactivate(0), await remove(1), await deactivate(2), await remove(3)];
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 200, 204]);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: false });
    expect((await directory.scim("GET", `/Users/${people[3]!.id}`)).status).toBe(404);
    expect(await directory.staged()).toMatchObject([
      { subjectId: people[2]!.id, cause: "status", displayName: "Person 2" },
      { subjectId: people[3]!.id, cause: "deleted", displayName: "Person 3" },
    ]);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active", staged: true });
    expect(await directory.subject(people[4]!.id)).toMatchObject({ staged: false });
  });

  it("are done when a person approves, all or of single people", async () => {
    for (const n of [0, 1, 2, 3]) await deactivate(n);
    const one = await decide("approve", { ids: [people[3]!.id] });
    expect([one.status, one.json()]).toEqual([
      200,
      { deactivated: 1, membershipsRemoved: 0, dropped: 0, remaining: 1 },
    ]);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "inactive", "active"]);
    await decide("approve");
    expect(await statuses()).toEqual(["inactive", "inactive", "inactive", "inactive", "active"]);
    expect((await auditOf(w.orgId)).slice(-2)).toEqual(["connector.staged_approved", "connector.staged_approved"]);
  });

  it("are dropped when a person discards them, and SCIM shows what is applied", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await remove(3);
    expect((await decide("discard")).json()).toMatchObject({ dropped: 2, remaining: 0 });
    expect((await directory.scim("GET", `/Users/${people[2]!.id}`)).json()).toMatchObject({ active: true });
    expect((await directory.scim("GET", `/Users/${people[3]!.id}`)).status).toBe(200);
    expect(await statuses()).toEqual(["inactive", "inactive", "active", "active", "active"]);
  });

  it("are taken back by the directory itself", async () => {
    for (const n of [0, 1, 2]) await deactivate(n);
    await directory.patch(people[2]!.id, [{ op: "replace", path: "active", value: true }]);
    expect(await directory.staged()).toEqual([]);
  });

  it("count each other when they come at once", async () => {
    await Promise.all([0, 1, 2, 3, 4].map(deactivate));
    expect((await statuses()).filter((status) => status === "inactive")).toHaveLength(2);
    expect(await directory.staged()).toHaveLength(3);
  });

  it("write everything else of the request", async () => {
    await deactivate(0);
    await deactivate(1);
    await directory.patch(people[2]!.id, [{ op: "replace", value: { active: false, displayName: "Renamed" } }]);
    expect(await directory.subject(people[2]!.id)).toMatchObject({ status: "active", displayName: "Renamed" });
  });

  it("are decided with connectors:approve alone", async () => {
    const key = await w.key("connectors:write", "connectors:run");
    const answer = await call("POST", `/v1/connectors/${directory.id}/staged/approve`, { token: key, body: {} });
    expect(answer.status).toBe(403);
  });
});
