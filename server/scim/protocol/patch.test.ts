import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ScimError } from "./error";
import { applyPatch, readPatch } from "./patch";
import { enterpriseUrn, userSchema, userUrn } from "./schemas";
import { fields, readResource, type Fields, type Json } from "./values";

const ada = () =>
  readResource(userSchema, {
    userName: "ada@example.org",
    active: true,
    emails: [{ value: "ada@example.org", type: "work", primary: true }],
    [enterpriseUrn]: { department: "Mathematics", manager: { value: "m-1" } },
  });
const patch = (Operations: Json, resource: Fields = ada()) =>
  JSON.parse(JSON.stringify(applyPatch(resource, readPatch(userSchema, { Operations }, resource))));
const refusal = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof ScimError) return [error.status, error.scimType];
    throw error;
  }
  return null;
};

describe("a PATCH that names an extension that we do not know", () => {
  const acme = "urn:ietf:params:scim:schemas:extension:acme:2.0:User";
  const hr = "urn:acme:hr";
  const withBoth = () =>
    readResource(userSchema, { userName: "ada", [acme]: { badge: "b", site: "s" }, [hr]: { dept: "d" } });
  const next = (operation: Json) => {
    const { [acme]: ofAcme, [hr]: ofHr, ...rest } = patch([operation], withBoth());
    return [ofAcme, ofHr, Object.keys(rest)];
  };

  it.each<[string, Json, Json | undefined, Json | undefined]>([
    ["as a path", { op: "add", path: acme, value: { badge: "c" } }, { badge: "c", site: "s" }, { dept: "d" }],
    [
      "as a path in another case",
      { op: "replace", path: acme.toUpperCase(), value: { badge: "c" } },
      { badge: "c", site: "s" },
      { dept: "d" },
    ],
    [
      "as a key",
      { op: "add", value: { [acme]: { badge: "c" }, [hr]: { dept: "e" } } },
      { badge: "c", site: "s" },
      { dept: "e" },
    ],
    ["without a version", { op: "replace", path: hr, value: { dept: "e" } }, { badge: "b", site: "s" }, { dept: "e" }],
    ["in a remove", { op: "remove", path: acme }, undefined, { dept: "d" }],
    ["without a version, in a remove", { op: "remove", path: hr }, { badge: "b", site: "s" }, undefined],
    [
      "before an attribute",
      { op: "replace", path: `${acme}:badge`, value: "c" },
      { badge: "c", site: "s" },
      { dept: "d" },
    ],
    [
      "before an attribute, without a version",
      { op: "replace", value: { [`${hr}:dept`]: "e" } },
      { badge: "b", site: "s" },
      { dept: "e" },
    ],
    [
      "before a complex attribute",
      { op: "add", path: `${hr}:dept`, value: { id: 1 } },
      { badge: "b", site: "s" },
      { dept: { id: 1 } },
    ],
  ])("finds it %s", (_, operation, ofAcme, ofHr) => {
    expect(next(operation)).toEqual([ofAcme, ofHr, ["userName"]]);
  });

  it.each([acme, hr, "urn:acme:hr:2.0:Group"])("creates %s as a POST does", (urn) => {
    const value = { badge: "b" };
    for (const operation of [
      { op: "add", path: urn, value },
      { op: "add", value: { [urn]: value } },
    ])
      expect(patch([operation as Json])).toEqual({ ...JSON.parse(JSON.stringify(ada())), [urn]: value });
    expect(
      patch([
        { op: "add", path: urn, value },
        { op: "remove", path: urn },
      ])[urn],
    ).toBeUndefined();
  });
});

describe("a PATCH that nests attributes under the URN of their own schema", () => {
  it.each<[string, Json]>([
    ["in a value without a path", { op: "replace", value: { active: false, [userUrn]: { title: "x" } } }],
    ["in any case", { op: "replace", value: { [userUrn.toUpperCase()]: { title: "x", active: "False" } } }],
    ["in a path", { op: "add", path: userUrn, value: { Title: "x", active: false } }],
  ])("writes them %s", (_, operation) => {
    expect(patch([operation])).toMatchObject({ active: false, title: "x", userName: "ada@example.org" });
  });

  it("is refused if there are no attributes", () => {
    expect(refusal(() => patch([{ op: "replace", value: { [userUrn]: "x" } }]))).toEqual([400, "invalidValue"]);
  });
});

it("does not change a text by a change of a part of it", () => {
  for (const path of ["userName.x", 'title[value eq "x"]', "title.x", "active.x"])
    for (const op of ["remove", "replace"])
      expect(patch([{ op, path, value: "false" }], fields({ ...ada(), title: "Dr" }))).toMatchObject({
        title: "Dr",
        active: true,
        userName: "ada@example.org",
      });
});

describe("a PATCH as providers send it", () => {
  it("Entra: writes Replace with a capital and False as a text", () => {
    expect(patch([{ op: "Replace", path: "active", value: "False" }])).toMatchObject({ active: false });
    expect(patch([{ op: "Replace", path: "active", value: [{ $ref: null, value: "False" }] }])).toMatchObject({
      active: false,
    });
  });

  it("Entra: creates the value that a filter does not find", () => {
    expect(patch([{ op: "Replace", path: 'emails[type eq "home"].value', value: "a@home.org" }]).emails).toEqual([
      { value: "ada@example.org", type: "work", primary: true },
      { type: "home", value: "a@home.org" },
    ]);
    expect(patch([{ op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+44" }]).phoneNumbers).toEqual([
      { type: "mobile", value: "+44" },
    ]);
    expect(patch([{ op: "Add", path: 'roles[primary eq "True"].value', value: "admin" }]).roles).toEqual([
      { primary: true, value: "admin" },
    ]);
    expect(patch([{ op: "Add", path: 'addresses[type eq "work"].locality', value: "London" }]).addresses).toEqual([
      { type: "work", locality: "London" },
    ]);
  });

  it("Entra: changes the value that a filter finds, with spaces in the path", () => {
    expect(patch([{ op: "Replace", path: 'emails[ type eq "work" ].value', value: "new@example.org" }]).emails).toEqual(
      [{ value: "new@example.org", type: "work", primary: true }],
    );
  });

  it("Entra: names attributes of the enterprise extension by their URN", () => {
    const next = patch([
      { op: "Add", path: `${enterpriseUrn}:department`, value: "Engines" },
      { op: "Add", path: `${enterpriseUrn}:manager`, value: "m-2" },
    ]);
    expect(next[enterpriseUrn]).toEqual({ department: "Engines", manager: { value: "m-2" } });
  });

  it("Entra: sends the manager as an object, as a text, and empty to clear it", () => {
    const manager = (value: Json) => patch([{ op: "Replace", path: `${enterpriseUrn}:manager`, value }])[enterpriseUrn];
    expect(manager({ value: "m-3" })).toMatchObject({ manager: { value: "m-3" } });
    expect(manager("m-3")).toMatchObject({ manager: { value: "m-3" } });
    expect(manager([{ $ref: null, value: "m-3" }])).toMatchObject({ manager: { value: "m-3" } });
    expect(manager("")).toEqual({ department: "Mathematics" });
  });

  it("Entra: sends values without a path, whose names are dotted or URNs", () => {
    const next = patch([
      {
        op: "add",
        value: {
          "name.givenName": "Ada",
          [`${enterpriseUrn}:employeeNumber`]: "1815",
          [enterpriseUrn]: { division: "North" },
          'emails[type eq "home"].value': "a@home.org",
        },
      },
    ]);
    expect(next).toMatchObject({
      name: { givenName: "Ada" },
      [enterpriseUrn]: { department: "Mathematics", employeeNumber: "1815", division: "North" },
      emails: [{ type: "work" }, { type: "home", value: "a@home.org" }],
    });
  });

  it("Entra: adds to a list of an extension of its own", () => {
    const urn = "urn:ietf:params:scim:schemas:extension:CustomExtension:2.0:User";
    const one = applyPatch(
      ada(),
      readPatch(userSchema, { Operations: [{ op: "Add", path: `${urn}:tags`, value: ["a"] }] }),
    );
    expect(patch([{ op: "Add", path: `${urn}:tags`, value: ["b"] }], one)[urn]).toEqual({ tags: ["a", "b"] });
  });

  it("Okta: replaces several attributes without a path, its own id among them", () => {
    expect(patch([{ op: "replace", value: { id: "sub_1", active: false, displayName: "Ada" } }])).toMatchObject({
      active: false,
      displayName: "Ada",
    });
  });

  it("OneLogin: names core attributes by the URN of their schema", () => {
    expect(patch([{ op: "replace", path: `${userUrn}:title`, value: "Countess" }])).toMatchObject({
      title: "Countess",
    });
  });

  it("Entra: sends no operations at all", () => {
    expect(patch([])).toEqual(JSON.parse(JSON.stringify(ada())));
  });

  it("ignores read-only attributes, and does the rest", () => {
    const next = patch([
      { op: "replace", path: "password", value: "secret" },
      { op: "replace", path: "shoeSize", value: 42 },
      { op: "replace", path: "meta.created", value: "2020-01-01T00:00:00Z" },
      { op: "replace", path: "nickName", value: "Countess" },
    ]);
    expect(next).toEqual({ ...JSON.parse(JSON.stringify(ada())), nickName: "Countess" });
  });

  it("removes a value, a part of it, and all of them", () => {
    expect(patch([{ op: "remove", path: 'emails[type eq "work"]' }])).not.toHaveProperty("emails");
    expect(patch([{ op: "remove", path: 'emails[type eq "work"].primary' }]).emails).toEqual([
      { value: "ada@example.org", type: "work" },
    ]);
    expect(patch([{ op: "remove", path: "emails", value: [{ value: "other" }] }]).emails).toHaveLength(1);
    expect(patch([{ op: "Remove", path: "emails" }])).not.toHaveProperty("emails");
  });

  it("leaves one value primary", () => {
    const next = patch([{ op: "add", path: "emails", value: [{ value: "b@example.org", primary: "True" }] }]);
    expect(next.emails).toEqual([
      { value: "ada@example.org", type: "work", primary: false },
      { value: "b@example.org", primary: true },
    ]);
  });

  it("does not change the given resource", () => {
    const before = ada();
    patch([{ op: "replace", path: 'emails[type eq "work"].value', value: "x" }], before);
    expect(before).toEqual(ada());
  });

  it.each<[string, Json, unknown[]]>([
    ["an unknown op", [{ op: "move", path: "title" }], [400, "invalidSyntax"]],
    ["a path that is none", [{ op: "replace", path: "emails[type eq", value: 1 }], [400, "invalidPath"]],
    ["a value filter that is none", [{ op: "replace", path: "emails[type]", value: 1 }], [400, "invalidFilter"]],
    ["a remove of nothing", [{ op: "remove" }], [400, "noTarget"]],
    ["a user without a userName", [{ op: "remove", path: "userName" }], [400, "mutability"]],
    ["a word for true", [{ op: "replace", path: "active", value: "maybe" }], [400, "invalidValue"]],
  ])("refuses %s", (_, operations, expected) => {
    expect(refusal(() => patch(operations))).toEqual(expected);
  });
});

const hostileName = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "emails", "name", "active");
const path = fc.oneof(
  fc.string(),
  hostileName,
  fc.tuple(hostileName, hostileName).map((parts) => parts.join(".")),
  hostileName.map((name) => `urn:x:y:${name}`),
  hostileName.map((name) => `urn:x:${name}:z`),
  fc.tuple(hostileName, hostileName).map(([a, b]) => `${a}[${b} eq "x"].${b}`),
  fc.tuple(hostileName, hostileName).map(([a, b]) => `${enterpriseUrn}:${a}.${b}`),
);
const operation = fc.record(
  {
    op: fc.constantFrom<unknown>("add", "Replace", "remove", "move", { toString: 1 }),
    path: fc.oneof(path, fc.constant(undefined)),
    value: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(path, fc.jsonValue()),
      fc.dictionary(hostileName, fc.dictionary(hostileName, fc.constant([[{ toString: 1, valueOf: 1 }]]))),
      fc.constant(JSON.parse('{"__proto__": {"polluted": true}, "urn:a:b": {"__proto__": {"polluted": true}}}')),
    ),
  },
  { requiredKeys: ["op"] },
);

it("refuses or applies any PATCH, and never touches a prototype", () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), (Operations) => {
      refusal(() => patch(Operations as Json));
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      expect(fields()).not.toHaveProperty("polluted");
      expect(({} as Fields)["polluted"]).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

it("reads or refuses any resource", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(hostileName, fc.string()), fc.jsonValue()), (body) => {
      refusal(() => readResource(userSchema, body as Fields));
      expect(({} as Fields)["polluted"]).toBeUndefined();
    }),
  );
});
