import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createQueuePool } from "./db";
import { transaction } from "./transaction";

/** Stands between a pool and PostgreSQL. Once silent, it neither passes on nor closes what is open; what connects later is served. */
let server: Server;
let served: Map<Socket, Socket>;
let connections: pg.Pool;

function silence(): void {
  for (const pair of served) for (const end of pair) end.removeAllListeners("data").pause();
}

beforeEach(async () => {
  served = new Map();
  const { hostname, port } = new URL(process.env["DATABASE_URL"]!);
  server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    served.set(client, upstream);
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxied = new URL(process.env["DATABASE_URL"]!);
  proxied.hostname = "127.0.0.1";
  proxied.port = String((server.address() as AddressInfo).port);
  connections = createQueuePool(proxied.href, 1000);
});

afterEach(async () => {
  await connections.end();
  for (const pair of served) for (const end of pair) end.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const backend = async () => (await connections.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid;

it("a statement on a queue's connection does not wait for a database that vanished without a word; the next one connects anew", async () => {
  const before = await backend();
  silence();
  await expect(backend()).rejects.toThrow("Query read timeout");
  expect(await backend()).not.toBe(before);
  expect(connections.totalCount).toBe(1);
});

it("nor does a transaction, with what it sent and what it waits for", async () => {
  const before = await backend();
  const vanishing = transaction(async (tx) => {
    await tx.sql("SELECT 1");
    silence();
    tx.send("SELECT 2");
    await tx.last("SELECT 3");
  }, connections);
  await expect(vanishing).rejects.toThrow("Query read timeout");
  expect(await backend()).not.toBe(before);
  expect(connections.totalCount).toBe(1);
});
