import { expect, it } from "vitest";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";

it("work that continues is answered with 202 and its Location, also when the response is repeated", async () => {
  const w = await world();
  const token = await w.key();
  const template = await publishedTemplate(w.ctx);
  const { id } = await issued(w.ctx, template.id);
  const start = () =>
    call("POST", "/v1/credentials/bulk", {
      token,
      headers: { prefer: "respond-async", "idempotency-key": "once" },
      body: { action: "suspend", items: [{ id }] },
    });
  const [accepted, repeated] = [await start(), await start()];
  const location = accepted.headers.get("location")!;
  expect([accepted.status, location]).toEqual([202, `/v1/bulk/${accepted.json<{ id: string }>().id}`]);
  expect([repeated.status, repeated.headers.get("location"), repeated.headers.get("idempotent-replayed")]).toEqual([
    202,
    location,
    "true",
  ]);
  expect((await call("GET", location, { token })).json()).toMatchObject({ object: "bulk_job" });
  const revoked = await call("POST", `/v1/templates/${template.id}/revoke-credentials`, {
    token,
    body: { reason: "Counterfeited", expectedCount: 1 },
  });
  expect((await call("GET", revoked.headers.get("location")!, { token })).status).toBe(200);
});

it("a bulk of subjects of about 6 MB is accepted", async () => {
  const token = await (await world()).key();
  const items = Array.from({ length: 100 }, (_, n) => ({
    externalId: `large-${n}`,
    attributes: { text: "x".repeat(60_000) },
  }));
  const written = await call("POST", "/v1/subjects/bulk", { token, body: { items } });
  expect([written.status, written.json()["succeeded"]]).toEqual([200, 100]);
});
