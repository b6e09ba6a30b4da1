import fc from "fast-check";
import { expect, it } from "vitest";
import { world } from "@/server/testing/world";
import { resourceMatches } from "../protocol/evaluate";
import { parseFilter } from "../protocol/filter";
import { groupSchema, groupUrn } from "../protocol/schemas";
import type { Fields } from "../protocol/values";
import { Directory } from "../testing/directory";
import { mayBeRefused, unsupported } from "../testing/filters";

it("finds by SQL what a plain evaluation of the answered groups finds", { timeout: 120_000 }, async () => {
  const directory = await Directory.open(await world());
  const people: string[] = [];
  for (const name of ["a", "b"]) people.push((await directory.user(`${name}@example.org`)).id);
  const named = ["Alpha", "alphabet", "Beta", "100%", "a_b", "it's \\"];
  for (const [n, displayName] of named.entries())
    await directory.group(displayName, {
      ...(n % 2 === 0 && { externalId: `Key-${n}` }),
      members: [people.slice(0, n % 3), n > 3 ? ["later"] : []].flat().map((value) => ({ value })),
    });
  const { Resources } = (await directory.scim("GET", "/Groups")).json<{ Resources: (Fields & { id: string })[] }>();
  expect(Resources).toHaveLength(named.length);

  const quoted = (values: string[]) => fc.constantFrom(...values).map((value) => JSON.stringify(value));
  const anyOf = fc.constantFrom("eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le");
  const condition = (name: fc.Arbitrary<string>, op: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
    fc.tuple(name, op, value).map((parts) => parts.join(" "));
  const leaf = fc.oneof(
    condition(fc.constantFrom("displayName", "DISPLAYNAME"), anyOf, quoted([...named, "alpha", "b", "%", "_"])),
    condition(fc.constant("externalId"), anyOf, fc.oneof(quoted(["Key-0", "key-0", "Key", "4"]), fc.constant("null"))),
    condition(fc.constant("id"), fc.constantFrom("eq", "ne"), quoted([...Resources.map(({ id }) => id), "none"])),
    condition(
      fc.constantFrom("members", "members.value"),
      fc.constantFrom("eq", "ne"),
      fc.oneof(quoted([...people, "later", "LATER", "nobody"]), fc.constant("null")),
    ),
    quoted([...people, "later", "nobody"]).map((value) => `members[value eq ${value}]`),
    fc
      .array(quoted([...people, "later", "nobody"]), { minLength: 1, maxLength: 3 })
      .map((each) => `members[${each.map((value) => `value eq ${value}`).join(" or ")}]`),
    condition(
      fc.constant("meta.version"),
      anyOf,
      quoted([...Resources.map(({ meta }) => String((meta as Fields)["version"])), 'W/"0"', "W"]),
    ),
    fc.constantFrom(
      "members pr",
      "members[value pr]",
      "externalId pr",
      "displayName pr",
      "meta.version pr",
      "meta.location pr",
      "meta pr",
    ),
    condition(fc.constant("schemas"), anyOf, quoted([groupUrn, groupUrn.toLowerCase(), "urn", "User"])),
    unsupported(["display", "type", "$ref", "value"], "members", people),
  );
  const filter = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      leaf,
      tie("any").map((of) => `not (${of})`),
      fc.tuple(tie("any"), fc.constantFrom("and", "or"), tie("any")).map(([a, op, b]) => `(${a} ${op} ${b})`),
    ),
  })).any;
  await fc.assert(
    fc.asyncProperty(filter, async (text) => {
      const answer = await directory.scim("GET", `/Groups?attributes=id&filter=${encodeURIComponent(text)}`);
      const { Resources: listed, scimType } = answer.json<{ Resources?: { id: string }[]; scimType?: string }>();
      // A filter that cannot be evaluated correctly is refused, and never answered with an empty list.
      if (scimType === "invalidFilter" && mayBeRefused(text)) return;
      const found = listed?.map(({ id }) => id);
      const wanted = Resources.filter((resource) => resourceMatches(parseFilter(text), groupSchema, resource));
      expect([text, found]).toEqual([text, wanted.map(({ id }) => id)]);
    }),
    { numRuns: 200 },
  );
});
