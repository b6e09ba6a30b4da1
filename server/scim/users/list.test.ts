import { beforeAll, describe, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { Directory } from "../testing/directory";
import { directory, errorOf, openDirectory, w } from "../testing/opened";

openDirectory();

describe("a user as providers send it", () => {
  it("Okta: posts a person again whom it deactivated, to restore them", async () => {
    const { id } = await directory.user("okta@example.org", { externalId: "00u1" });
    await directory.scim("PUT", `/Users/${id}`, {
      id,
      userName: "okta@example.org",
      externalId: "00u1",
      active: false,
      groups: [],
    });
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
    const again = await directory.scim("POST", "/Users", {
      userName: "okta@example.org",
      externalId: "00u1",
      active: true,
    });
    expect([again.status, again.json()]).toEqual([201, expect.objectContaining({ id, active: true })]);
    expect(await directory.subject(id)).toMatchObject({ status: "active" });
  });

  it("Microsoft's collection: posts active as a text", async () => {
    expect(await directory.user("collection@example.org", { active: "True" })).toMatchObject({ active: true });
    expect(await directory.user("inactive@example.org", { active: "false" })).toMatchObject({ active: false });
  });

  it("Microsoft's collection: asks for /serviceConfiguration", async () => {
    const [one, other] = await Promise.all(
      ["/serviceConfiguration", "/ServiceProviderConfig"].map((path) => directory.scim("GET", path)),
    );
    expect([one!.status, one!.json()]).toEqual([200, other!.json()]);
  });

  it("Entra: finds by a work address, and gets back what it wrote", async () => {
    const { id } = await directory.user("entra@example.org");
    const patched = await directory.patch(id, [
      { op: "Add", path: 'emails[type eq "work"].value', value: "Entra@Example.org" },
      { op: "Replace", path: "active", value: "False" },
    ]);
    expect(patched.json()).toMatchObject({ active: false, emails: [{ type: "work", value: "Entra@Example.org" }] });
    for (const filter of ['emails[type eq "work"].value eq "entra@example.org"', 'emails.value eq "entra@example.org"'])
      expect((await directory.find(filter)).Resources.map((each) => each.id)).toEqual([id]);
    expect((await directory.find('emails[type eq "home"].value eq "entra@example.org"')).totalResults).toBe(0);
  });

  it("JumpCloud: searches without quotes, and in another case", async () => {
    const { id } = await directory.user("jyoung@example.org", { externalId: "jyoung" });
    expect((await directory.find("externalId eq jyoung")).Resources.map((each) => each.id)).toEqual([id]);
    expect((await directory.find('USERNAME Eq "JYoung@example.org"')).Resources.map((each) => each.id)).toEqual([id]);
  });

  it("Google: nests core attributes under the URN of their schema, and deletes without deactivating first", async () => {
    const made = await directory.scim("POST", "/Users", {
      userName: "google@example.org",
      "urn:ietf:params:scim:schemas:core:2.0:User": { title: "Engineer" },
    });
    const { id } = made.json<{ id: string }>();
    expect(made.json()).toMatchObject({ title: "Engineer" });
    const deleted = await call("DELETE", `/scim/v2/Users/${id}`, {
      token: directory.token,
      raw: "",
      headers: { "content-type": "application/scim+json" },
    });
    expect(deleted.status).toBe(204);
    expect(await directory.subject(id)).toMatchObject({ status: "inactive" });
  });
});

describe("a list of users", () => {
  let listed: Directory;
  beforeAll(async () => {
    listed = await Directory.open(w);
    for (const name of ["b", "a", "c"]) await listed.user(`${name}@list.org`, { name: { familyName: name } });
  });
  const list = async (query: string) =>
    (await listed.scim("GET", `/Users?${query}`)).json<{
      totalResults: number;
      startIndex: number;
      itemsPerPage: number;
      Resources: { userName: string }[];
    }>();
  const names = async (query: string) => (await list(query)).Resources.map(({ userName }) => userName[0]);

  it("contains only the people of its connection", async () => {
    expect(await list("")).toMatchObject({ totalResults: 3, startIndex: 1, itemsPerPage: 3 });
    const { id } = await directory.user("elsewhere@example.org");
    expect((await listed.scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await listed.patch(id, [{ op: "replace", path: "active", value: false }])).status).toBe(404);
    const other = await Directory.open(await world());
    expect((await other.scim("GET", `/Users/${id}`)).status).toBe(404);
    expect((await other.scim("DELETE", `/Users/${id}`)).status).toBe(404);
  });

  it("Okta, Entra: has pages by startIndex and count, including an empty page and one past the end", async () => {
    expect(await names("startIndex=1&count=2")).toHaveLength(2);
    expect(await names("startIndex=3&count=2")).toHaveLength(1);
    expect(await list("count=0")).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    expect(await list("startIndex=50")).toMatchObject({ totalResults: 3, startIndex: 50, Resources: [] });
    expect((await listed.scim("GET", "/Users?count=many")).status).toBe(400);
  });

  it("is sorted by an attribute", async () => {
    expect(await names("sortBy=userName")).toEqual(["a", "b", "c"]);
    expect(await names("sortBy=name.familyName&sortOrder=descending")).toEqual(["c", "b", "a"]);
  });

  it("has the requested attributes", async () => {
    const [only] = (await list("attributes=userName,name.familyName&sortBy=userName")).Resources;
    expect(only).toEqual({
      schemas: expect.any(Array),
      id: expect.any(String),
      userName: "a@list.org",
      name: { familyName: "a" },
    });
    const [without] = (await list("excludedAttributes=name,meta&sortBy=userName")).Resources;
    expect(Object.keys(without!)).not.toContain("name");
    expect(Object.keys(without!)).toContain("userName");
  });

  it("can be requested by POST .search too", async () => {
    const found = await listed.scim("POST", "/Users/.search", { filter: 'userName sw "b"', count: 5 });
    expect([found.status, found.json()]).toEqual([200, expect.objectContaining({ totalResults: 1 })]);
  });

  it.each(['userName eq "\\u0000"', 'externalId eq "\\ud800"', "userName eq \0"])(
    "refuses a filter that no text in the database can match: %j",
    async (filter) => {
      expect(errorOf(await listed.scim("GET", `/Users?filter=${encodeURIComponent(filter)}`))[0]).toBe(400);
      const { id } = (await listed.find('userName eq "a@list.org"')).Resources[0]!;
      const patched = await listed.patch(id, [
        {
          op: "add",
          path: `emails[${filter.replace(/^\w+/, "type").replaceAll("\0", "")}].value`,
          value: "x@list.org",
        },
      ]);
      expect(patched.status).toBe(400);
    },
  );

  it("refuses an unsupported filter", async () => {
    expect(errorOf(await listed.scim("GET", `/Users?filter=${encodeURIComponent('shoeSize eq "42"')}`))).toEqual([
      400,
      "application/scim+json",
      "400",
      "invalidFilter",
    ]);
  });
});
