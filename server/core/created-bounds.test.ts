import { beforeAll, describe, expect, it } from "vitest";
import { listSubjects } from "@/server/subjects/list";
import { rowsLookedAt } from "@/server/webhooks/testing/rows-looked-at";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";
import { createdBounds } from "./created-bounds";
import { asId, publicId } from "./ids";

const day = 86_400_000;
const noon = Date.parse("2026-06-01T12:00:00Z");
const days = 500;

let w: World;

/** A UUIDv7 of a time, with `n` as its last digits. */
const idAt = (ms: number, n: number) => {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, "0")}`;
};

async function store(rows: { idMs: number; createdMs: number; name: string }[]) {
  await sql(
    `INSERT INTO subjects (org_id, id, external_id, display_name, created_at, updated_at)
     SELECT $1, row.id, row.name, row.name, row.at, row.at FROM unnest($2::uuid[], $3::text[], $4::timestamptz[]) AS row (id, name, at)`,
    [
      w.orgId,
      rows.map(({ idMs }, i) => idAt(idMs, i)),
      rows.map(({ name }) => name),
      rows.map(({ createdMs }) => new Date(createdMs)),
    ],
  );
}

// Rows that other tests write to the same table change which index PostgreSQL prefers.
beforeAll(async () => {
  const drop = await ownDatabase();
  w = await world();
  await store(
    Array.from({ length: days }, (_, i) => ({ idMs: noon - i * day, createdMs: noon - i * day, name: `day-${i}` })),
  );
  // Without statistics of this organisation, PostgreSQL rates all indexes that begin with org_id equally.
  await sql("ANALYZE subjects");
  return drop;
});

const named = async (filter: object) =>
  (await listSubjects(w.ctx, { ...filter, limit: 100 })).data.map(({ externalId }) => externalId);
const at = (daysAgo: number) => new Date(noon - daysAgo * day + day / 2).toISOString();

describe("rows whose id has the time of created_at", () => {
  it("are read only between the bounds", async () => {
    expect(await named({ createdBefore: at(497) })).toEqual(["day-497", "day-498", "day-499"]);
    expect(await named({ createdAfter: at(3) })).toEqual(["day-0", "day-1", "day-2"]);
    const bounds = await createdBounds(w.orgId, "subjects", {
      createdAfter: new Date(at(3)),
      createdBefore: new Date(at(1)),
    });
    const looked = await rowsLookedAt((read) =>
      read(`SELECT id FROM subjects WHERE org_id = $1 AND id >= $2 AND id <= $3`, [
        w.orgId,
        bounds.firstId,
        bounds.lastId,
      ]),
    );
    expect(looked).toBe(2);
    const asked = await rowsLookedAt((read) =>
      createdBounds(w.orgId, "subjects", { createdAfter: new Date(at(3)), createdBefore: new Date(at(1)) }, read),
    );
    expect(asked).toBe(0);
  });
});

describe("a row whose id has another time than created_at", () => {
  it.each([
    ["made much later, as of an import", 0],
    ["made much earlier, by a clock that was wrong", 900],
  ])("is found by created_at: an id %s", async (name, idDaysAgo) => {
    await store([{ idMs: noon - idDaysAgo * day + 1, createdMs: noon - 250 * day, name }]);
    expect(await named({ createdAfter: at(251), createdBefore: at(249) })).toContain(name);
    expect(await named({ createdAfter: at(249) })).not.toContain(name);
    expect(await named({ createdBefore: at(251) })).not.toContain(name);
  });

  it("widens the bounds no further than necessary", async () => {
    const bounds = await createdBounds(w.orgId, "subjects", { createdBefore: new Date(at(497)) });
    expect(publicId("sub", asId<"sub">(String(bounds.lastId)))).toBe(
      publicId("sub", asId<"sub">(`${idAt(noon - 496.5 * day + 60_000, 0).slice(0, 13)}-0000-0000-000000000000`)),
    );
  });
});
