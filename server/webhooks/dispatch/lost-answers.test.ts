import { beforeAll, expect, it } from "vitest";
import { ForgetfulDatabase } from "@/server/testing/forgetful-database";
import { ownDatabase } from "@/server/testing/own-database";
import { sql } from "@/server/testing/sql";
import { useStage } from "@/server/webhooks/testing/stage";

let database: ForgetfulDatabase;
beforeAll(async () => {
  const drop = await ownDatabase();
  database = await ForgetfulDatabase.before(process.env["DATABASE_URL"]!);
  process.env["DATABASE_URL"] = database.url;
  return async () => {
    await drop();
    database.close();
  };
});
const stage = useStage();

it("a claim whose answer from the database was lost is repeated and gets its deliveries before their lease ends", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen(3);
  database.loseAnswerTo("SET claim_id = $5");
  await expect(s.dispatcher.drain({ withinMs: 10_000 })).rejects.toThrow();
  expect(
    await sql(`SELECT count(lease_until) AS leased FROM webhook_deliveries WHERE org_id = $1`, [s.world.orgId]),
  ).toEqual([{ leased: 3 }]);
  await s.send();
  expect((await s.deliveries(id)).map((delivery) => [delivery.status, delivery.attemptCount])).toEqual(
    Array.from({ length: 3 }, () => ["succeeded", 1]),
  );
  expect(s.listener.received).toHaveLength(3);
});

it("an attempt whose record was stored while the answer of the database was lost is logged once", async () => {
  const s = stage();
  const { id } = await s.endpoint();
  await s.happen();
  database.loseAnswerTo("INSERT INTO webhook_attempts");
  await s.send();
  const [delivery] = await s.deliveries(id);
  expect(delivery).toMatchObject({ status: "succeeded", attemptCount: 1 });
  expect(await s.attempts(delivery!.id)).toHaveLength(1);
  expect(s.listener.received).toHaveLength(1);
});
