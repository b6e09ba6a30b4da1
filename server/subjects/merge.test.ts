import fc from "fast-check";
import { expect, it } from "vitest";
import { world } from "@/server/testing/world";
import { bulkUpsertSubjects } from "./bulk";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Attributes = Record<string, Json>;

/** The merge of RFC 7396, section 2, word for word. */
function merged(target: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const into = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch))
    if (value === null) delete into[name];
    else into[name] = merged(into[name] ?? null, value);
  return into;
}

const isObject = (value: Json): value is Attributes =>
  typeof value === "object" && value !== null && !Array.isArray(value);

// Few names, so that stored and sent attributes meet.
const name = fc.constantFrom("a", "b", "c", "", "ä");
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, 1.5, "", "x"),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const attributes = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });

it("merges and replaces any attributes as RFC 7396 specifies", async () => {
  const { ctx } = await world();
  const upsert = async (items: object[]) =>
    (await bulkUpsertSubjects(ctx, { items })).data.map((row) => row.subject!.attributes);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ stored: attributes, sent: attributes, replaces: fc.boolean() }), {
        minLength: 50,
        maxLength: 50,
      }),
      async (people) => {
        const id = (n: number) => `${round}-${n}`;
        round++;
        await upsert(people.map(({ stored }, n) => ({ externalId: id(n), attributes: stored })));
        const results = await upsert(
          people.map(({ sent, replaces }, n) => ({
            externalId: id(n),
            attributes: sent,
            attributesMode: replaces ? "replace" : "merge",
          })),
        );
        expect(results).toEqual(
          people.map(({ stored, sent, replaces }) => (replaces ? sent : merged(merged({}, stored), sent))),
        );
      },
    ),
    { numRuns: 20 },
  );
});
