import pg from "pg";
import { expect, it } from "vitest";
import { env } from "@/server/core/env";
import type { Id } from "@/server/core/ids";
import { call } from "@/server/testing/request";
import { person } from "@/server/testing/person";
import { waitingForLock } from "@/server/testing/waiting-for-lock";
import { world } from "@/server/testing/world";
import { trpcHandler } from "@/server/trpc/handler";

/** Keeps a row of an organisation locked, so that requests that write it keep their connections. */
async function locked(orgId: Id<"org">, externalId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM subjects WHERE org_id = $1 AND external_id = $2 FOR UPDATE", [orgId, externalId]);
  return () => client.end();
}

it("an organisation whose queries hang, from API and console, leaves connections for other organisations", async () => {
  const [hanging, other] = [await world(), await world()];
  const [token, otherToken] = [await hanging.key(), await other.key()];
  const { headers } = await person(hanging, "owner");
  const put = (n: number) =>
    call("PUT", "/v1/subjects", { token, body: { externalId: "locked", displayName: `Name ${n}` } });
  await put(0);
  const procedure = () => trpcHandler(new Request("http://localhost:3000/api/trpc/subjects.list", { headers }));
  const unlock = await locked(hanging.orgId, "locked");
  const most = Math.floor(env().DATABASE_POOL / 2);
  const writes = Array.from({ length: 3 * env().DATABASE_POOL }, (_, n) => put(n + 1));
  await expect.poll(async () => (await waitingForLock("INSERT INTO subjects")).length).toBe(most);
  const queued = procedure();
  for (let n = 0; n < 20; n++) expect((await call("GET", "/v1/subjects", { token: otherToken })).status).toBe(200);
  expect((await call("PUT", "/v1/subjects", { token: otherToken, body: { externalId: "free" } })).status).toBe(201);
  expect(await Promise.race([queued.then(() => "answered"), Promise.resolve("waits")])).toBe("waits");
  await unlock();
  expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([200]));
  expect((await queued).status).toBe(200);
});
