import { describe, expect, it } from "vitest";
import { resourceOf } from "@/server/core/event-resource";
import { eventTypes } from "@/server/events/catalogue";
import { sql } from "@/server/testing/sql";
import {
  earliestId,
  firstId,
  isId,
  lastId,
  newId,
  newPublicId,
  publicId,
  readAnyId,
  readId,
  uuidOf,
  type Id,
} from "./ids";

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

/** The base32 form by plain BigInt arithmetic, to compare with. */
function slowly(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll("-", "")}`);
  let text = "";
  for (let i = 0; i < 26; i++, bits >>= 5n) text = crockford[Number(bits & 31n)]! + text;
  return text;
}

const at = new Date("2026-01-01T00:00:00Z");

describe("ids", () => {
  it("convert between UUID and base32 without loss", () => {
    const uuids = [firstId, lastId, ...Array.from({ length: 20_000 }, () => crypto.randomUUID())];
    for (const uuid of uuids) {
      const id = uuid as unknown as Id<"crd">;
      const told = publicId("crd", id);
      expect(told).toBe(`crd_${slowly(uuid)}`);
      expect(isId("crd", told)).toBe(true);
      expect(readId("crd", told)).toBe(uuid);
      expect(readAnyId(told)).toBe(uuid);
    }
  });

  it("are UUIDs of version 7 that sort in the order of creation, in both forms and in PostgreSQL", async () => {
    const ids = Array.from({ length: 10_000 }, () => newId("crd", at.getTime()));
    const uuids = ids.map(uuidOf);
    for (const uuid of uuids)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([...uuids].sort()).toEqual(uuids);
    expect(new Set(uuids).size).toBe(uuids.length);
    const told = ids.map((id) => publicId("crd", id));
    expect([...told].sort()).toEqual(told);
    const sorted = await sql<{ id: string }>(`SELECT id FROM unnest($1::uuid[]) AS given (id) ORDER BY id`, [
      [...ids].reverse(),
    ]);
    expect(sorted.map(({ id }) => id)).toEqual(uuids);
  });

  it("of another form or resource match no row, and are returned to the caller unchanged", () => {
    const sub = newPublicId("sub");
    for (const given of [
      "",
      "crd_",
      "crd_1",
      sub,
      `crd_${"z".repeat(26)}`,
      `crd_${sub.slice(4).toUpperCase()}`,
      `${sub.replace("sub", "crd")}0`,
      "crd_0000000000000000000000000i",
    ]) {
      const id = readId("crd", given);
      expect([given, uuidOf(id)]).toEqual([given, lastId]);
      expect(publicId("crd", id)).toBe(given);
      expect(JSON.stringify({ id })).toBe(`{"id":"${lastId}"}`);
    }
    expect(publicId("crd", null)).toBeNull();
  });

  it("begin with the time of their creation", () => {
    const before = new Date(at.getTime() - 1);
    const [early, id, late] = [
      earliestId("crd", at),
      newId("crd", at.getTime() + 60_000_000_000),
      earliestId("crd", new Date(at.getTime() + 70_000_000_000)),
    ].map(uuidOf);
    expect([early, id, late].sort()).toEqual([early, id, late]);
    expect(uuidOf(earliestId("crd", before)) < early!).toBe(true);
    expect(uuidOf(earliestId("crd", new Date("1969-12-31T00:00:00Z")))).toBe(firstId);
  });

  it("have a prefix for the resource of every event type", () => {
    expect(eventTypes.filter((type) => !/^[a-z]{3}$/.test(resourceOf(type)))).toEqual([]);
  });
});
