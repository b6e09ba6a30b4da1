import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createOutbound } from "./outbound";
import type { PoolLimits } from "./pool";
import { type Listener, listenHttp } from "./testing/listener";

function client(limits: Partial<PoolLimits> = {}) {
  return createOutbound({
    resolve: () => Promise.reject(new Error("nothing is resolved here")),
    allowCidrs: ["127.0.0.1/32"],
    allowHttp: true,
    limits,
  });
}

async function started(handler: Parameters<typeof listenHttp>[0]): Promise<Listener> {
  const listener = await listenHttp(handler);
  onTestFinished(() => listener.close());
  return listener;
}

/** A listener that answers when the test says so: `arrival()` resolves with the response object of the next request. */
async function held() {
  const requests = new EventEmitter();
  const listener = await started((_, response) => requests.emit("request", response));
  const arrival = async (): Promise<ServerResponse> => (await once(requests, "request"))[0];
  return { listener, arrival };
}

const to = (listener: Listener, totalTimeoutMs?: number) => ({
  url: `http://127.0.0.1:${listener.port}/`,
  method: "POST" as const,
  body: "{}",
  maxResponseBytes: 100,
  totalTimeoutMs,
});

test("a connection is reused, and still reports its address", async () => {
  const listener = await started((_, response) => response.end());
  const outbound = client();
  for (let n = 0; n < 5; n += 1)
    expect(await outbound.request(to(listener))).toMatchObject({ ok: true, address: "127.0.0.1" });
  expect(listener.connections).toHaveLength(1);
});

test("a truncated answer closes its connection", async () => {
  const listener = await started((_, response) => response.end("a".repeat(1000)));
  const outbound = client();
  await outbound.request(to(listener));
  await outbound.request(to(listener));
  expect(listener.connections).toHaveLength(2);
});

test("`connection: close` is honoured without an error", async () => {
  const listener = await started((_, response) => response.setHeader("connection", "close").end());
  const outbound = client();
  for (let n = 0; n < 3; n += 1) expect((await outbound.request(to(listener))).ok).toBe(true);
  expect(listener.connections).toHaveLength(3);
});

test("a connection past its maximum age is not reused", async () => {
  const listener = await started((_, response) => response.end());
  const outbound = client({ ageMs: 0 });
  await outbound.request(to(listener));
  await outbound.request(to(listener));
  expect(listener.connections).toHaveLength(2);
});

test("above the limit of idle connections, the one idle for longest is closed", async () => {
  const [first, second] = [
    await started((_, response) => response.end()),
    await started((_, response) => response.end()),
  ];
  const outbound = client({ idle: 1 });
  await outbound.request(to(first));
  const [socket] = first.connections;
  await outbound.request(to(second));
  if (!socket?.closed) await once(socket as NonNullable<typeof socket>, "close");
  await outbound.request(to(second));
  expect(second.connections).toHaveLength(1);
  await outbound.request(to(first));
  expect(first.connections).toHaveLength(2);
});

describe("the limit of connections to one origin", () => {
  test("is kept, and requests are served in order", async () => {
    let running = 0;
    let most = 0;
    const listener = await started((_, response) => {
      most = Math.max(most, ++running);
      setImmediate(() => response.end(() => (running -= 1)));
    });
    const outbound = client({ perOrigin: 2 });
    const order: number[] = [];
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => outbound.request(to(listener)).then((result) => (order.push(n), result.ok))),
    );
    expect(results).toEqual(Array(20).fill(true));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(most).toBeLessThanOrEqual(2);
    expect(listener.connections).toHaveLength(2);
  });

  test("counts the wait for a connection against the deadline, and forgets a request that timed out", async () => {
    const { listener, arrival } = await held();
    const outbound = client({ perOrigin: 1 });
    const arriving = arrival();
    const first = outbound.request(to(listener));
    const response = await arriving;
    expect(await outbound.request(to(listener, 30))).toMatchObject({
      ok: false,
      status: null,
      errorClass: "timeout",
      address: null,
    });
    const arrivingNext = arrival();
    const next = outbound.request(to(listener));
    response.end();
    expect(await first).toMatchObject({ ok: true });
    (await arrivingNext).end();
    expect(await next).toMatchObject({ ok: true });
    expect(listener.connections).toHaveLength(1);
  });

  test("does not let an origin that hangs on every connection delay another origin", async () => {
    const hanging = await started(() => {});
    const healthy = await started((_, response) => response.end());
    const outbound = client({ perOrigin: 4 });
    const finished: string[] = [];
    const stuck = Array.from({ length: 50 }, () =>
      outbound.request(to(hanging, 300)).then(() => finished.push("stuck")),
    );
    for (let n = 0; n < 10; n += 1) expect((await outbound.request(to(healthy))).ok).toBe(true);
    finished.push("healthy");
    expect(hanging.connections.length).toBeLessThanOrEqual(4);
    await Promise.all(stuck);
    expect(finished[0]).toBe("healthy");
  });

  test("does not let a lane that hangs on every connection delay another lane of the same origin", async () => {
    const listener = await started(
      (request, response) => void (request.headers["x-lane"] === "stuck" || response.end()),
    );
    const outbound = client({ perOrigin: 2 });
    const through = (lane: string) => outbound.request({ ...to(listener, 300), lane, headers: { "x-lane": lane } });
    const finished: string[] = [];
    const stuck = Array.from({ length: 10 }, () => through("stuck").then(() => finished.push("stuck")));
    for (let n = 0; n < 10; n += 1) expect((await through("healthy")).ok).toBe(true);
    finished.push("healthy");
    expect(listener.connections).toHaveLength(3);
    await Promise.all(stuck);
    expect(finished[0]).toBe("healthy");
  });

  test("replaces a broken connection for waiting requests", async () => {
    const listener = await started((request, response) => {
      if (listener.connections.length === 1) request.socket.destroy();
      else response.end();
    });
    const outbound = client({ perOrigin: 1 });
    const results = await Promise.all([1, 2, 3].map(() => outbound.request(to(listener))));
    expect(results.map((result) => result.errorClass)).toEqual(["connect", null, null]);
    expect(listener.connections).toHaveLength(2);
  });
});

describe("closing", () => {
  test("waits for requests in flight, and refuses new ones", async () => {
    const { listener, arrival } = await held();
    const outbound = client();
    const arriving = arrival();
    const finished: string[] = [];
    const inFlight = outbound.request(to(listener)).then((result) => finished.push(`answered ${result.status}`));
    const response = await arriving;
    const closing = outbound.close().then(() => finished.push("closed"));
    await expect(outbound.request(to(listener))).rejects.toThrow("have been closed");
    finished.push("answering");
    response.end();
    await Promise.all([inFlight, closing]);
    expect(finished[0]).toBe("answering");
    expect(finished).toContain("answered 200");
  });

  test("ends idle connections at once", async () => {
    const listener = await started((_, response) => response.end());
    const outbound = client();
    await outbound.request(to(listener));
    await outbound.close();
    const [socket] = listener.connections;
    if (socket && !socket.closed) await once(socket, "close");
    expect(socket?.closed).toBe(true);
  });

  test("resolves at once without any request", async () => {
    await expect(client().close()).resolves.toBeUndefined();
  });
});
