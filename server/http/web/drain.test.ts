import { Agent, request } from "node:http";
import { afterEach, expect, it } from "vitest";
import { runChild, type Child } from "@/server/testing/child";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";

let server: Child | undefined;
afterEach(() => server?.kill());

async function start(delayMs = 0) {
  server = await runChild("server/testing/serve.child.ts", [String(delayMs)]);
  return { server, base: `http://127.0.0.1:${await server.line()}` };
}

interface Answered {
  status: number;
  connection: string | undefined;
  body: string;
}

/** Sends one request over the agent's kept connections; rejects unless a whole response came. */
function send(agent: Agent, method: string, url: string, token = "", body?: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
    const asked = request(url, { method, agent, headers }, async (response) => {
      try {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode!, connection: response.headers.connection, body: text });
      } catch (error) {
        reject(error as Error);
      }
    });
    asked.on("error", reject);
    asked.end(body && JSON.stringify(body));
  });
}

it("after SIGTERM under 30 busy keep-alive clients, every committed write was answered and every response closes its connection", {
  timeout: 60_000,
}, async () => {
  const { orgId, key } = await world();
  const token = await key();
  const { server, base } = await start();
  const acknowledged = new Set<string>();
  const refused: string[] = [];
  let answeredLate = 0;
  let stopping = false;
  const client = async (n: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; ; i++) {
      const externalId = `${n}-${i}`;
      try {
        const { status, connection } = await send(agent, "PUT", `${base}/v1/subjects`, token, { externalId });
        if (status >= 300) throw new Error(String(status));
        acknowledged.add(externalId);
        if (stopping) answeredLate++;
        if (connection === "close") return;
      } catch {
        return void refused.push(externalId);
      }
    }
  };
  const clients = Array.from({ length: 30 }, (_, n) => client(n));
  await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(300);
  stopping = true;
  server.process.kill("SIGTERM");
  await Promise.all(clients);
  expect([await server.line(), await server.line()]).toEqual(["stopping", "stopped"]);

  const committed = await sql<{ id: string }>("SELECT external_id AS id FROM subjects WHERE org_id = $1", [orgId]);
  expect(committed.map(({ id }) => id).filter((id) => !acknowledged.has(id))).toEqual([]);
  expect(committed).toHaveLength(acknowledged.size);
  expect(refused.every((id) => !acknowledged.has(id))).toBe(true);
  expect(answeredLate).toBeGreaterThan(0);
});

it("after SIGTERM a streamed response is finished to its last byte although its connection looks idle", {
  timeout: 60_000,
}, async () => {
  const { server, base } = await start();
  const response = await fetch(`${base}/stream`);
  server.process.kill("SIGTERM");
  expect(await server.line()).toBe("stopping");
  server.process.kill("SIGUSR2");
  const text = await response.text();
  expect(text.length).toBe(20_000_000 + "begun\n".length);
  expect(await server.line()).toBe("stopped");
});

it("after SIGTERM /readyz answers 503 first, while new connections are still answered", {
  timeout: 60_000,
}, async () => {
  const { server, base } = await start(2_000);
  const agent = new Agent();
  const jobsApart = JSON.parse((await send(agent, "GET", `${base}/readyz`)).body) as object;
  // No job engine runs in this process, and requests are answered all the same.
  expect(jobsApart).toMatchObject({ status: "ready", checks: { jobs: { ok: false, detail: "not started" } } });
  server.process.kill("SIGTERM");
  expect(await server.line()).toBe("stopping");
  const { status, connection, body } = await send(agent, "GET", `${base}/readyz`);
  expect([status, connection]).toEqual([503, "close"]);
  expect(JSON.parse(body)).toMatchObject({
    status: "not_ready",
    checks: { serving: { ok: false, detail: "stopping" }, database: { ok: true } },
  });
  expect((await send(agent, "GET", `${base}/healthz`)).status).toBe(200);
  expect(await server.line()).toBe("stopped");
});
