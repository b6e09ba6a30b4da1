import { afterAll, beforeAll, expect, it } from "vitest";
import { runChild, type Child } from "@/server/testing/child";
import { SilentDatabase } from "@/server/testing/silent-database";
import { world } from "@/server/testing/world";

let database: SilentDatabase;
let server: Child;
let base: string;
let token: string;

beforeAll(async () => {
  token = await (await world()).key();
  database = await SilentDatabase.before(process.env["DATABASE_URL"]!);
  server = await runChild("server/testing/serve.child.ts", [], {
    DATABASE_URL: database.url,
    DATABASE_TIMEOUT_SECONDS: "1",
    DATABASE_POOL: "4",
    METRICS_TOKEN: "a-token-of-some-length",
  });
  base = `http://127.0.0.1:${await server.line()}`;
});
afterAll(async () => {
  await server.kill();
  database.close();
});

const put = (externalId: string) =>
  fetch(`${base}/v1/subjects`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ externalId }),
  });
const readiness = async () => {
  const response = await fetch(`${base}/readyz`);
  return [
    response.status,
    response.headers.get("retry-after"),
    ((await response.json()) as { checks: { database: unknown } }).checks.database,
  ];
};

it("while the database is silent, more requests than there are connections get 503 with Retry-After, and succeed once it answers again", {
  timeout: 60_000,
}, async () => {
  expect((await put("before")).status).toBe(201);
  expect(await readiness()).toEqual([200, null, { ok: true, detail: "answers" }]);
  database.silence("new");
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => put(`during-${n}`)));
  expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
    answers.map(() => [503, "2"]),
  );
  expect((await answers[0]!.json()) as object).toMatchObject({ code: "unavailable" });
  expect(await readiness()).toEqual([503, "2", expect.objectContaining({ ok: false })]);
  const metrics = await fetch(`${base}/metrics`, { headers: { authorization: "Bearer a-token-of-some-length" } });
  const text = await metrics.text();
  expect([metrics.status, text.match(/^bonafide_database_up .*/m)?.[0]]).toEqual([200, "bonafide_database_up 0"]);
  expect(text).toMatch(/^process_resident_memory_bytes /m);
  expect(text).not.toMatch(/^bonafide_webhook_oldest_due_seconds /m);
  database.speak();
  await expect.poll(async () => (await put("after")).status, { timeout: 20_000 }).toBe(201);
  await expect.poll(async () => (await readiness())[0], { timeout: 20_000 }).toBe(200);
});
