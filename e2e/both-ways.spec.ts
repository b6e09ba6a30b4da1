import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, oneBrowser, test } from "./fixtures/test";
import { startNextAlone } from "./fixtures/next-alone";
import { startService } from "./fixtures/service";
import { temporaryDatabase } from "../scripts/database/temporary-database.mjs";

interface Asked {
  token?: string;
  data?: unknown;
  type?: string;
  headers?: Record<string, string>;
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../public/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
};

/** Headers that change a client's behaviour. */
const alike = [
  "etag",
  "cache-control",
  "access-control-allow-origin",
  "www-authenticate",
  "idempotent-replayed",
  "retry-after",
];

/** Headers and values that differ in every answer. The samples of event types have new ids each time. */
const passing = new Set(["requestId", "checkedAt", "uptimeSeconds", "sample"]);
const lasting = (body: string): unknown => {
  try {
    return JSON.parse(body, (key, value: unknown) => (passing.has(key) ? undefined : value));
  } catch {
    return body;
  }
};

// Our dispatcher runs the API from the same route files without Next's pipeline (server/serve.ts), and any Next host
// runs it through that pipeline. Both must give the same answers.
test("every route gives the same answers through our dispatcher and through Next", oneBrowser, async ({ request }) => {
  test.setTimeout(180_000);
  const database = await temporaryDatabase();
  const ours = await startService({
    DATABASE_URL: database.url,
    BONAFIDE_SECRET: "one-secret-for-both-of-the-servers",
  });
  const next = await startNextAlone({
    DATABASE_URL: database.url,
    BONAFIDE_SECRET: "one-secret-for-both-of-the-servers",
    PUBLIC_URL: ours.url,
  });
  try {
    const { secret: token } = await ours.admin<{ secret: string }>([
      "key",
      "create",
      "--org",
      (await ours.admin<{ id: string }>(["org", "create", "--name", "Both", "--slug", "both"])).id,
      "--name",
      "both",
    ]);
    const ask = async (origin: string, method: string, path: string, options: Asked) => {
      const answer = await request.fetch(`${origin}${path}`, {
        method,
        headers: {
          ...(options.token && { authorization: `Bearer ${options.token}` }),
          ...(options.type && { "content-type": options.type }),
          ...options.headers,
        },
        ...(options.data !== undefined && { data: options.data }),
        maxRedirects: 0,
      });
      const given = answer.headers();
      return {
        status: answer.status(),
        type: given["content-type"]?.split(";")[0],
        headers: Object.fromEntries(alike.map((name) => [name, given[name]])),
        numbered: given["request-id"]?.slice(0, 4),
        body: lasting(await answer.text()),
      };
    };
    const compare = async (method: string, path: string, options: Asked) => {
      const [a, b] = [await ask(ours.url, method, path, options), await ask(next.url, method, path, options)];
      expect({ method, path, ...a }, `${method} ${path}: ours against Next's`).toEqual({ method, path, ...b });
      return a;
    };

    const seen: number[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      const filled = path
        .replaceAll("{version}", "1")
        .replaceAll("{code}", "ZZZZ-ZZZZ-ZZZZ-ZZZZ")
        .replaceAll("{run}", "run_00000000000000000000000000")
        .replaceAll("{id}", "sub_00000000000000000000000000");
      for (const [name, operation] of Object.entries(methods)) {
        const method = name.toUpperCase();
        const takesBody = operation.requestBody !== undefined;
        seen.push((await compare(method, filled, { ...(takesBody && { data: {} }) })).status);
        seen.push((await compare(method, filled, { token, ...(takesBody && { data: { unheardOf: true } }) })).status);
        if (takesBody)
          seen.push(
            (await compare(method, filled, { token, data: Buffer.from("{"), type: "application/json" })).status,
          );
      }
    }
    for (const path of [
      "/v1/nothing",
      "/healthz",
      "/v1/subjects?limit=0",
      "/v1/subjects?limit=2&offset=0",
      "/public/verify?code=nonsense",
      "/v1/subjects/%F0%9F%92%A9",
    ]) {
      seen.push((await compare("GET", path, { token })).status);
    }

    // Successful requests run through our dispatcher first. Next then repeats the stored answer, or finds nothing left
    // to change.
    const once = (name: string) => ({ "idempotency-key": name });
    const made = async <T>(path: string, data: unknown) => {
      const first = await request.fetch(`${ours.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, ...once(path) },
        data,
      });
      expect(first.status()).toBe(201);
      seen.push((await compare("POST", path, { token, data, headers: once(path) })).status);
      return (await first.json()) as T;
    };
    const subject = { externalId: "both", displayName: "Ada Lovelace" };
    await request.fetch(`${ours.url}/v1/subjects`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}` },
      data: subject,
    });
    await compare("PUT", "/v1/subjects", { token, data: subject });
    const template = await made<{ id: string }>("/v1/templates", {
      name: "Members",
      kind: "membership",
      publish: true,
    });
    const credential = await made<{ id: string; code: string }>("/v1/credentials", {
      subject: { externalId: "both" },
      templateId: template.id,
    });
    const etag = (await compare("GET", `/public/credentials/${credential.code}`, {})).headers["etag"]!;
    seen.push(
      (await compare("GET", `/public/credentials/${credential.code}`, { headers: { "if-none-match": etag } })).status,
    );
    await compare("HEAD", `/public/credentials/${credential.code}`, {});
    await compare("OPTIONS", `/public/credentials/${credential.code}`, {
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "GET" },
    });
    for (const path of [
      `/v1/credentials/${credential.id}`,
      `/v1/credentials/${credential.id}/history`,
      "/v1/subjects?q=lovelace",
      "/v1/credentials?state=active",
    ])
      await compare("GET", path, { token });
    await compare("PATCH", `/v1/templates/${template.id}`, { token, data: { name: "Members" } });
    seen.push(
      (
        await compare("POST", "/v1/subjects/bulk", {
          token,
          data: Buffer.alloc(10 * 1024 * 1024 + 1, " "),
          type: "application/json",
        })
      ).status,
    );

    // Comparing only refusals would prove little.
    expect([...new Set(seen)].sort()).toEqual(expect.arrayContaining([200, 201, 304, 400, 401, 404, 413]));
  } finally {
    await next.stop();
    await ours.stop();
    await database.close();
  }
});
