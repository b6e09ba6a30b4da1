import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { world } from "@/server/testing/world";
import { apiListener } from "@/server/http/web/listener";
import { liveMetricsText } from "@/server/http/web/request-metrics";

let server: Server;
let token: string;
beforeAll(async () => {
  token = await (await world()).key();
  server = createServer(apiListener()).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => server.close());

/** Returns how many requests to the path ended with each status. */
async function counted(): Promise<Record<string, number>> {
  const lines = (await liveMetricsText()).matchAll(
    /^http_request_duration_seconds_count\{method="POST",route="\/v1\/templates",status="(\d+)"\} (\d+)$/gm,
  );
  return Object.fromEntries([...lines].map(([, status, n]) => [status, Number(n)]));
}

it.each([
  ["of a length that was told", "content-length: 1000\r\n\r\n{"],
  ["in chunks", "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n"],
])("counts an upload that the client breaks off, %s, as 400 and not as a failure of the service", async (_, rest) => {
  const failures = vi.spyOn(log(), "error");
  const before = (await counted())["400"] ?? 0;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(
    `POST /v1/templates HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${rest}`,
  );
  await once(server, "request");
  socket.destroy();
  await expect.poll(counted).toEqual({ 400: before + 1 });
  expect(failures).not.toHaveBeenCalled();
});
