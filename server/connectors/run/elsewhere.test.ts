import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listSubjects } from "@/server/subjects/list";
import { Directory } from "@/server/scim/testing/directory";
import { ownDatabase } from "@/server/testing/own-database";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { previewConnector } from "../preview";
import { Feed, fileOf } from "../testing/feed";

beforeAll(ownDatabase);

const noStatus = { missing: "deactivate", mapping: { externalId: "id", displayName: "name" } };
const disabled = [{ op: "Replace", path: "active", value: "False" }];

let w: World;
let hr: Feed;
let library: Feed;
let entra: Directory;
let id: string;

const person = async () => (await listSubjects(w.ctx, { externalId: "p-2" })).data[0]!;
const statusOf = async () => (await person()).status;
const createUser = (active: boolean) => entra.user("p2", { externalId: "p-2", active });
const send = (method: string, path: string, body: object) => call(method, `/v1${path}`, { token: hr.token, body });
const listAgain = async () => {
  await library.upload(fileOf([2]));
  const ofOther = await statusOf();
  await hr.upload(fileOf([1, 2]));
  return [ofOther, await statusOf()];
};

// p-2 is inactive because the file of hr lacks them. The library never had them.
beforeEach(async () => {
  w = await world();
  hr = await Feed.open(w, noStatus);
  library = await Feed.open(w, noStatus);
  entra = await Directory.open(w, { adopt: "externalId" });
  await hr.upload(fileOf([1, 2]));
  await hr.upload(fileOf([1]));
  ({ id } = await person());
  expect(await statusOf()).toBe("inactive");
});

describe("a person who was deactivated as missing stays inactive for every file", () => {
  it("after a directory activated and disabled them", async () => {
    const user = await createUser(true);
    expect(await statusOf()).toBe("active");
    await entra.patch(user.id, disabled);
    const { data } = await previewConnector(w.ctx, { connectorId: library.id, content: fileOf([2]) });
    expect(data.flatMap(({ changes }) => changes.map(({ field }) => field))).not.toContain("status");
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a directory activated, disabled and deleted them", async () => {
    const user = await createUser(true);
    await entra.patch(user.id, disabled);
    await entra.scim("DELETE", `/Users/${user.id}`);
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a directory that never listed them created them as inactive", async () => {
    await createUser(false);
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a file with a status activated and deactivated them, and no longer lists them", async () => {
    const payroll = await Feed.open(w);
    await payroll.upload(fileOf([2], "active"));
    expect(await statusOf()).toBe("active");
    await payroll.upload(fileOf([2], "inactive"));
    await payroll.upload(fileOf([3]));
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a file with a status marked them as inactive", async () => {
    await (await Feed.open(w)).upload(fileOf([2], "inactive"));
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a PATCH activated them and another one deactivated them", async () => {
    await send("PATCH", `/subjects/${id}`, { status: "active" });
    await send("PATCH", `/subjects/${id}`, { status: "inactive" });
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a PUT activated them and another one deactivated them", async () => {
    await send("PUT", "/subjects", { externalId: "p-2", status: "active" });
    await send("PUT", "/subjects", { externalId: "p-2", status: "inactive" });
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a PATCH stated that they are inactive, which they were already", async () => {
    await send("PATCH", `/subjects/${id}`, { status: "inactive" });
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });

  it("after a PUT stated that they are inactive, which they were already", async () => {
    await send("PUT", "/subjects", { externalId: "p-2", status: "inactive" });
    expect(await listAgain()).toEqual(["inactive", "inactive"]);
  });
});

describe("a person whom a directory marked as inactive while a file kept them active", () => {
  it("becomes active when that file lists them again, but not when another file does", async () => {
    await hr.upload(fileOf([1, 2]));
    const user = await createUser(true);
    await entra.patch(user.id, disabled);
    expect(await statusOf()).toBe("active");
    await hr.upload(fileOf([1]));
    expect(await listAgain()).toEqual(["inactive", "active"]);
  });
});

it("a write that does not state a person's status lets the next file make them active", async () => {
  await send("PATCH", `/subjects/${id}`, { displayName: "Other" });
  await library.upload(fileOf([2]));
  expect(await statusOf()).toBe("active");
});
