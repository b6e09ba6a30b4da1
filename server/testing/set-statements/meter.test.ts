import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pool } from "@/server/core/db";
import { ownDatabase } from "../own-database";
import { Meter } from "./meter";

let dropDatabase: () => Promise<void>;

beforeAll(async () => {
  dropDatabase = await ownDatabase();
}, 60_000);

afterAll(() => dropDatabase());

it("counts what was read on connections that are being closed", async () => {
  const meter = await Meter.start(process.env["DATABASE_URL"]!);
  try {
    await pool().query("CREATE TABLE counted AS SELECT generate_series(1, 100) AS n");
    const other = new pg.Client({ connectionString: process.env["DATABASE_URL"]! });
    await other.connect();
    let closed: Promise<void>;
    const { rows } = await meter.reads(async () => {
      await other.query("SELECT sum(n) FROM counted");
      closed = other.end();
    });
    expect(rows).toBe(100);
    await closed!;
    expect((await meter.reads(async () => {})).rows).toBe(0);
  } finally {
    await meter.end();
  }
});
