import { beforeAll, describe, expect, it } from "vitest";
import { world, type World } from "@/server/testing/world";
import { Directory } from "./testing/directory";

let w: World;
let byEmail: Directory;
beforeAll(async () => {
  w = await world();
  byEmail = await Directory.open(w, { adopt: "email" });
});
const person = async (externalId: string, email: string) =>
  (await byEmail.rest("PUT", "/subjects", { externalId, email, displayName: "By the API" })).json<{ id: string }>().id;
const post = (userName: string, externalId: string, email: string) =>
  byEmail.scim("POST", "/Users", { userName, externalId, emails: [{ value: email, type: "work" }] });

describe("adopt: email", () => {
  it("adopts the person with the address, who keeps the present externalId", async () => {
    const id = await person("hr-1", "Ada.Lovelace@example.org");
    const made = await post("ada", "oid-1", "ada.lovelace@EXAMPLE.org");
    expect([made.status, made.json()]).toMatchObject([201, { id, externalId: "oid-1" }]);
    expect(await byEmail.subject(id)).toMatchObject({
      externalId: "hr-1",
      sources: expect.arrayContaining([expect.objectContaining({ type: "scim", id: byEmail.id })]),
    });
    // From then on the directory identifies them by its own id.
    await byEmail.patch(id, [{ op: "replace", path: "externalId", value: "oid-1b" }]);
    expect(await byEmail.subject(id)).toMatchObject({ externalId: "hr-1" });
    expect((await byEmail.find('externalId eq "oid-1b"')).Resources.map((each) => each.id)).toEqual([id]);
    expect((await byEmail.scim("DELETE", `/Users/${id}`)).status).toBe(204);
    expect((await post("ada", "oid-1b", "ada.lovelace@example.org")).json()).toMatchObject({ id });
  });

  it("prefers a match by externalId to one by address", async () => {
    const byKey = await person("oid-2", "other@example.org");
    await person("hr-2", "both@example.org");
    expect((await post("both", "oid-2", "both@example.org")).json()).toMatchObject({ id: byKey });
  });

  it("is refused with a question if several people have the address", async () => {
    for (const key of ["hr-3", "hr-4"]) await person(key, "family@example.org");
    const refused = await post("family", "oid-3", "family@example.org");
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { scimType: "uniqueness", detail: expect.stringContaining("Several people") },
    ]);
  });

  it("creates another person if the directory already has the one with the address", async () => {
    const first = (await post("twin-1", "oid-5", "twins@example.org")).json<{ id: string }>().id;
    const second = (await post("twin-2", "oid-6", "twins@example.org")).json<{ id: string }>().id;
    expect(second).not.toBe(first);
  });

  it("compares whole addresses, and finds nobody of another organisation and no erased person", async () => {
    await person("hr-7", "xpart@example.org");
    await person("hr-8", "under_score@example.org");
    const erased = await person("hr-9", "erased@example.org");
    await byEmail.rest("POST", `/subjects/${erased}/erase`, { reason: "asked" });
    const elsewhere = await Directory.open(await world());
    await elsewhere.rest("PUT", "/subjects", { externalId: "hr-10", email: "elsewhere@example.org" });
    for (const [n, email] of [
      "part@example.org",
      "underXscore@example.org",
      "erased@example.org",
      "elsewhere@example.org",
    ].entries()) {
      const made = await post(`whole-${n}`, `oid-1${n}`, email);
      expect([email, made.status, (await byEmail.subject(made.json<{ id: string }>().id))["externalId"]]).toEqual([
        email,
        201,
        `oid-1${n}`,
      ]);
    }
  });

  it("can be chosen only for connectors whose mapping has the address", async () => {
    const make = async (body: object) =>
      (await byEmail.rest("POST", "/connectors", { name: "x", adopt: "email", ...body })).json<{
        errors: { pointer: string }[];
      }>().errors[0]!.pointer;
    expect(await make({ type: "csv", mapping: { externalId: "id" } })).toBe("/mapping/email");
    const status = { from: "active", transform: "trim", values: { true: "active", false: "inactive" } };
    expect(await make({ type: "scim", mapping: { externalId: "externalId", status } })).toBe("/mapping/email");
  });

  it("finds nobody by address with adopt: externalId", async () => {
    const usual = await Directory.open(w);
    const id = await person("hr-20", "usual@example.org");
    const made = await usual.user("usual", { externalId: "oid-20", emails: [{ value: "usual@example.org" }] });
    expect(made.id).not.toBe(id);
  });
});
