import { afterEach, expect, it, vi } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { listSubjects } from "@/server/subjects/list";
import { sql } from "@/server/testing/sql";
import { person } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { trpcHandler } from "@/server/trpc/handler";

afterEach(() => void vi.useRealTimers());

/** A body whose second half arrives a minute later, after `meanwhile`. */
function heldBack(body: object, meanwhile: () => Promise<unknown>): ReadableStream<Uint8Array> {
  vi.useFakeTimers({ toFake: ["Date"] });
  const bytes = Buffer.from(JSON.stringify(body));
  const middle = bytes.length >> 1;
  return new ReadableStream(
    {
      start: (controller) => controller.enqueue(bytes.subarray(0, middle)),
      async pull(controller) {
        await meanwhile();
        vi.setSystemTime(Date.now() + 60_000);
        controller.enqueue(bytes.subarray(middle));
        controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}

it("a key that is revoked while its body arrives changes nothing", async () => {
  const home = await world();
  const { id, secret } = await createApiKey(home.ctx, { name: "leaver" });
  const raw = heldBack({ externalId: "s-1" }, () => revokeApiKey(home.ctx, { id }));
  const answer = await call("PUT", "/v1/subjects", { token: secret, raw });
  expect([answer.status, answer.json()]).toMatchObject([401, { code: "invalid_token" }]);
  expect((await listSubjects(home.ctx, {})).data).toEqual([]);
});

it("a valid key whose body arrives slowly does its work at the time when the body is complete", async () => {
  const home = await world();
  const before = new Date();
  const raw = heldBack({ externalId: "s-1" }, async () => undefined);
  const answer = await call("PUT", "/v1/subjects", { token: await home.key(), raw });
  expect(answer.status).toBe(201);
  expect(Date.parse(answer.json<{ createdAt: string }>().createdAt)).toBeGreaterThanOrEqual(before.getTime());
});

it("a session that ends while its body arrives changes nothing", async () => {
  const home = await world();
  const { headers, claims } = await person(home, "owner");
  headers.set("content-type", "application/json");
  headers.set("origin", "http://localhost:3000");
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers,
    duplex: "half",
    body: heldBack({ name: "Outlives its maker" }, () =>
      sql(`UPDATE console_sessions SET ended_at = now() WHERE user_id = $1`, [claims.userId]),
    ),
  };
  const answer = await trpcHandler(new Request("http://localhost:3000/api/trpc/access.apiKeys.create", init));
  expect([answer.status, await answer.json()]).toMatchObject([
    401,
    { error: { data: { problem: { code: "unauthenticated" } } } },
  ]);
});
