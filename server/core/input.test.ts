import { describe, expect, it } from "vitest";
import { z } from "zod";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { createApiKey } from "@/server/access/create-api-key";
import { acceptInvitation } from "@/server/organisations/accept-invitation";
import { inviteMember } from "@/server/organisations/invite-member";
import { updateOrganisation } from "@/server/organisations/update";
import { password, tokenIn, visitor } from "@/server/testing/person";
import { deceives, looksEmpty, withoutOverrides } from "./deceptive-text";
import { parseInput, wholeNumber } from "./input";

describe("text on one line", () => {
  it.each(["\u202A", "\u202B", "\u202C", "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069"])(
    "never holds the control %j",
    (control) => {
      expect(deceives(`Ada ${control}Lovelace`)).toBe(true);
      expect(deceives(`עדה ${control}לאבלייס`)).toBe(true);
    },
  );

  it.each(["\u200E", "\u200F", "\u061C"])("may hold the mark %j only if it has right-to-left letters", (mark) => {
    expect(deceives(`Ada ${mark}Lovelace`)).toBe(true);
    expect(deceives(`عايدة${mark} (Ada)`)).toBe(false);
  });

  it.each(["Ada Lovelace", "عايدة", "עדה", "नेहा\u200D", "a\u200Cb", "🏳️‍🌈"])("may be %j", (text) => {
    expect(deceives(text)).toBe(false);
  });

  it.each(["\u2028", "\u2029", "\uFEFF", "\u200B", "\u2060", "\u00AD", "\u{E0041}", "\u180E", "\uFFF9"])(
    "never holds the invisible character %j",
    (character) => {
      expect(deceives(`Ada${character}Lovelace`)).toBe(true);
    },
  );

  it.each([
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England",
    "\u{1F469}\u200D\u{1F467}",
    "क्\u200Dष",
    "می\u200Cخواهم",
  ])("may be %j, whose joiners and tags have a visible effect", (text) => {
    expect(deceives(text)).toBe(false);
  });

  it.each(["\u3164", "\u200D", "\u2800", "\u115F\u1160", "\uFE0F"])(
    "is refused if it looks empty, like %j",
    async (text) => {
      expect(looksEmpty(text)).toBe(true);
      const w = await world();
      await expect(updateOrganisation(w.ctx, { name: text })).rejects.toMatchObject({
        code: "invalid_request",
        message: "name must contain something that can be seen.",
      });
    },
  );

  it("is shown to the public without direction controls, at any depth of a value", () => {
    expect(withoutOverrides({ a: ["x\u202Ey", 1, null], b: "עדה\u200F" })).toEqual({
      a: ["xy", 1, null],
      b: "עדה\u200F",
    });
  });

  it("is refused in every name that people read, and the message says why", async () => {
    const w = await world();
    const token = await w.key();
    const name = "Ada \u202Eecalevol";
    const sent: [string, string, object, string][] = [
      ["PUT", "/v1/subjects", { externalId: "s", displayName: name }, "/displayName"],
      ["PUT", "/v1/subjects", { externalId: name }, "/externalId"],
      ["POST", "/v1/templates", { name, kind: "membership" }, "/name"],
      [
        "POST",
        "/v1/templates",
        { name: "T", kind: "membership", design: { front: { fields: [{ key: "a", label: name, text: "x" }] } } },
        "/design/front/fields/0/label",
      ],
      ["POST", "/v1/webhook_endpoints", { url: "https://example.org/hook", description: name }, "/description"],
    ];
    for (const [method, path, body, pointer] of sent) {
      const answer = await call(method, path, { token, body });
      expect([
        path,
        answer.status,
        answer.json<{ errors: { pointer: string }[] }>().errors.map((e) => e.pointer),
      ]).toEqual([path, 400, [pointer]]);
      if (!pointer.startsWith("/design"))
        expect(answer.text).toContain("invisible characters that change the direction");
    }
    const refusal = { code: "invalid_request" };
    await expect(updateOrganisation(w.ctx, { name })).rejects.toMatchObject(refusal);
    await expect(createApiKey(w.ctx, { name })).rejects.toMatchObject(refusal);
    const { url } = await inviteMember(w.ctx, { email: "bidi@example.edu", role: "viewer" });
    await expect(acceptInvitation(visitor(), { token: tokenIn(url), name, password })).rejects.toMatchObject(refusal);
  });
});

describe("an input with many faults", () => {
  const issuesOf = (schema: z.ZodType, input: unknown) => {
    try {
      return parseInput(schema, input);
    } catch (error) {
      return error as { message: string; extras: { errors: { pointer: string }[] } };
    }
  };

  it("names the first unknown fields of an object and counts the rest", () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1]));
    const answer = issuesOf(z.strictObject({ items: z.array(z.string()) }), unknown);
    expect(answer).toMatchObject({ message: "items is required. There are 5000 more errors; see errors." });
    expect(answer).toHaveProperty(
      "extras.errors",
      ["/items", "/k0", "/k1", "/k2", "/k3", "/k4"].map((pointer) => expect.objectContaining({ pointer })),
    );
  });

  it("gets messages for 50 of them, no more", () => {
    let worded = 0;
    const item = z.string({ error: () => ((worded += 1), "must be a string") });
    const answer = issuesOf(z.strictObject({ items: z.array(item) }), {
      items: Array.from({ length: 10_000 }, (_, i) => i),
    });
    expect(answer).toMatchObject({ message: "items[0] must be a string. There are 9999 more errors; see errors." });
    expect(answer).toHaveProperty("extras.errors.length", 50);
    expect(worded).toBe(50);
  });

  it("answers with pointers of bounded length", () => {
    const answer = issuesOf(z.strictObject({}), { ["~".repeat(100_000)]: 1 });
    expect(answer).toHaveProperty("extras.errors", [expect.objectContaining({ pointer: `/${"~0".repeat(200)}…` })]);
  });
});

it("a whole number in a query or path has one way to be written", () => {
  const read = (text: string) => wholeNumber(-10, 10).safeParse(text).data;
  expect(["0", "7", "-7", "10"].map(read)).toEqual([0, 7, -7, 10]);
  expect(["01", "-0", "00", "+1", "1.0", "1e1", " 1", ""].map(read)).toEqual(Array(8).fill(undefined));
});
