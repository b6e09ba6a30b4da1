import type { ServerResponse } from "node:http";
import { beforeAll, expect, it } from "vitest";
import { call } from "@/server/testing/request";
import { runChild } from "@/server/testing/child";
import { ownDatabase } from "@/server/testing/own-database";
import { world } from "@/server/testing/world";
import { person, Source } from "../http/testing/source";
import type { RunView } from "../run-view";
import { fetchNext } from "./fetch";

beforeAll(ownDatabase);

it("a fetch whose process is killed while the source answers is repeated after its lease, and applied once", async () => {
  const source = await Source.open(await world());
  const asked = Promise.withResolvers<ServerResponse>();
  source.answer = (_, response) => void response.write("[", () => asked.resolve(response));
  const { id } = (await source.post("/sync")).json<RunView>();
  const child = await runChild("server/connectors/testing/fetch.child.ts");
  await asked.promise;
  await child.kill();
  source.json(() => [1, 2, 3].map((n) => person(n)));
  expect(await fetchNext(new Date())).toBe(false);
  expect(await source.run(id)).toMatchObject({ status: "running" });
  expect(await fetchNext(new Date(Date.now() + 2 * 60_000))).toBe(true);
  expect(await source.finish(id)).toMatchObject({ status: "succeeded", counts: { rows: 3, created: 3 } });
  expect(source.requests).toHaveLength(2);
  const people = await call("GET", "/v1/subjects?limit=100", { token: source.token });
  expect(people.json<{ data: object[] }>().data).toHaveLength(3);
  await source.close();
});
