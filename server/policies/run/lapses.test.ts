import { beforeAll, expect, it } from "vitest";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { applyPolicy } from "../apply";
import { previewPolicy } from "../preview";
import { numbers, Office } from "../testing/office";

beforeAll(ownDatabase);

it("a person who came back while the policy was halted has the full grace when leaving again", async () => {
  const office = await Office.open(await world(), { graceDays: 3 });
  const on = (day: number) => ({ ...office.world.ctx, now: new Date(Date.now() + day * 24 * 3_600_000) });
  const apply = (day: number) => applyPolicy(on(day), { id: office.id });
  await office.people(numbers(1, 60));
  await apply(0);
  await office.people(numbers(1, 20), "Law");
  expect((await apply(1)).counts).toMatchObject({ grace: 20 });
  expect(await apply(5)).toMatchObject({ status: "halted", halt: { affected: 20 } });
  await office.people([1]);
  expect(await apply(6)).toMatchObject({ status: "halted", halt: { affected: 19 } });
  await office.people([1], "Law");
  const { counts, data } = await previewPolicy(on(7), { id: office.id, actions: ["grace"] });
  expect(counts).toMatchObject({ suspend: 19, grace: 1 });
  expect(data).toMatchObject([{ externalId: "p-1", graceUntil: expect.any(String) }]);
});
