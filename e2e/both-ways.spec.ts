import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixtures/test";
import { startNextAlone } from "./fixtures/next-alone";
import { startService } from "./fixtures/service";
import { temporaryDatabase } from "../scripts/temporary-database.mjs";

interface Answer {
  status: number;
  type: string | undefined;
  body: unknown;
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../public/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
};

/** What differs from one answer to the next however it is dispatched; the samples of event types have ids of their own each time. */
const passing = new Set(["requestId", "checkedAt", "uptimeSeconds", "sample"]);
const lasting = (body: string): unknown => {
  try {
    return JSON.parse(body, (key, value: unknown) => (passing.has(key) ? undefined : value));
  } catch {
    return body;
  }
};

// The API runs from the same route files without Next's pipeline (server/serve.ts) and under any Next host: both must answer alike.
test("every route answers alike through our dispatcher and through Next", async ({ request }) => {
  test.setTimeout(180_000);
  const database = await temporaryDatabase();
  const ours = await startService({ DATABASE_URL: database.url, BONAFIDE_SECRET: "one-secret-for-both-of-the-servers" });
  const next = await startNextAlone({ DATABASE_URL: database.url, BONAFIDE_SECRET: "one-secret-for-both-of-the-servers", PUBLIC_URL: ours.url });
  try {
    const { secret: token } = await ours.admin<{ secret: string }>(["key", "create", "--org", (await ours.admin<{ id: string }>(["org", "create", "--name", "Both", "--slug", "both"])).id, "--name", "both"]);
    const ask = async (origin: string, method: string, path: string, options: { token?: string; data?: unknown; type?: string }): Promise<Answer> => {
      const answer = await request.fetch(`${origin}${path}`, {
        method,
        headers: { ...(options.token && { authorization: `Bearer ${options.token}` }), ...(options.type && { "content-type": options.type }) },
        ...(options.data !== undefined && { data: options.data }),
        maxRedirects: 0,
      });
      return { status: answer.status(), type: answer.headers()["content-type"]?.split(";")[0], body: lasting(await answer.text()) };
    };
    const compare = async (method: string, path: string, options: { token?: string; data?: unknown; type?: string }) => {
      const [a, b] = [await ask(ours.url, method, path, options), await ask(next.url, method, path, options)];
      expect({ method, path, ...a }, `${method} ${path}: ours against Next's`).toEqual({ method, path, ...b });
      return a;
    };

    const seen: number[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      const filled = path.replaceAll("{version}", "1").replaceAll("{code}", "ZZZZ-ZZZZ-ZZZZ-ZZZZ").replaceAll("{id}", "sub_00000000000000000000000000");
      for (const [name, operation] of Object.entries(methods)) {
        const method = name.toUpperCase();
        const takesBody = operation.requestBody !== undefined;
        seen.push((await compare(method, filled, { ...(takesBody && { data: {} }) })).status);
        seen.push((await compare(method, filled, { token, ...(takesBody && { data: { unheardOf: true } }) })).status);
        if (takesBody) seen.push((await compare(method, filled, { token, data: Buffer.from("{"), type: "application/json" })).status);
      }
    }
    for (const path of ["/v1/nothing", "/healthz", "/v1/subjects?limit=0", "/v1/subjects?limit=2&offset=0", "/public/verify?code=nonsense", "/v1/subjects/%F0%9F%92%A9"]) {
      seen.push((await compare("GET", path, { token })).status);
    }
    // A comparison of refusals alone would prove little.
    expect([...new Set(seen)].sort()).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  } finally {
    await next.stop();
    await ours.stop();
    await database.close();
  }
});
