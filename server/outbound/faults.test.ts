import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { type OutboundRequest, createOutbound } from "./outbound";
import { type Listener, listenHttp, listenRaw } from "./testing/listener";

const outbound = createOutbound({
  resolve: () => Promise.reject(new Error("nothing is resolved here")),
  allowCidrs: ["127.0.0.1/32"],
  allowHttp: true,
});

async function reach(starting: Promise<Listener>, options: Partial<OutboundRequest> = {}) {
  const listener = await starting;
  onTestFinished(() => listener.close());
  const url = `http://127.0.0.1:${listener.port}/hook?a=b`;
  return {
    listener,
    result: await outbound.request({ url, method: "POST", body: "{}", maxResponseBytes: 16_384, ...options }),
  };
}

test("a request arrives as it was sent, and its answer comes back complete", async () => {
  let seen: unknown;
  const { result } = await reach(
    listenHttp(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      seen = { method: request.method, url: request.url, body, headers: request.headers };
      response.setHeader("x-twice", ["a", "b"]);
      response.writeHead(202).end("taken");
    }),
    { headers: { "Content-Type": "application/json", "svc-attempt": "1" }, body: '{"é":1}' },
  );
  expect(seen).toMatchObject({
    method: "POST",
    url: "/hook?a=b",
    body: '{"é":1}',
    headers: {
      "content-type": "application/json",
      "svc-attempt": "1",
      "accept-encoding": "identity",
      "content-length": "8",
    },
  });
  expect(result).toMatchObject({
    ok: true,
    status: 202,
    truncated: false,
    address: "127.0.0.1",
    errorClass: null,
    errorDetail: null,
  });
  expect(result.headers["x-twice"]).toBe("a,b");
  expect(Buffer.from(result.body).toString()).toBe("taken");
});

test.each([200, 201, 204, 299])("%i is accepted", async (status) => {
  const { result } = await reach(listenHttp((_, response) => response.writeHead(status).end()));
  expect(result).toMatchObject({ ok: true, status, errorClass: null });
});

test.each([400, 404, 410, 429, 500, 503])("%i is an http error, and the answer is kept", async (status) => {
  const { result } = await reach(
    listenHttp((_, response) => response.writeHead(status, { "retry-after": "7" }).end("no")),
  );
  expect(result).toMatchObject({
    ok: false,
    status,
    errorClass: "http",
    errorDetail: `The server answered with status ${status}.`,
  });
  expect(result.headers["retry-after"]).toBe("7");
  expect(Buffer.from(result.body).toString()).toBe("no");
});

test.each([301, 302, 303, 304, 307, 308])("%i is a redirect, which is not followed", async (status) => {
  const other = await listenHttp((_, response) => response.end());
  onTestFinished(() => other.close());
  const location = `http://127.0.0.1:${other.port}/`;
  const { result } = await reach(listenHttp((_, response) => response.writeHead(status, { location }).end()));
  expect(result).toMatchObject({ ok: false, status, errorClass: "redirect", headers: { location } });
  expect(other.connections).toHaveLength(0);
});

test("interim (1xx) answers are skipped", async () => {
  const { result } = await reach(
    listenHttp((_, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" });
      response.end("final");
    }),
  );
  expect(result).toMatchObject({ ok: true, status: 200 });
});

test("an interim (1xx) answer without a final one is a connect error", async () => {
  const { result } = await reach(listenRaw((socket) => socket.end("HTTP/1.1 103 Early Hints\r\nx-early: 1\r\n\r\n")));
  expect(result).toMatchObject({ ok: false, status: null, headers: {}, errorClass: "connect" });
});

test("HEAD has an answer without a body", async () => {
  const { result } = await reach(
    listenHttp((_, response) => response.setHeader("content-length", 5).end()),
    { method: "HEAD", body: undefined },
  );
  expect(result).toMatchObject({ ok: true, status: 200, headers: { "content-length": "5" } });
  expect(result.body).toHaveLength(0);
});

test("a compressed answer stays compressed", async () => {
  const packed = gzipSync("a".repeat(100_000));
  const { result } = await reach(
    listenHttp((_, response) => response.setHeader("content-encoding", "gzip").end(packed)),
  );
  expect(Buffer.from(result.body)).toEqual(packed);
});

test("a server that never answers times out, and its connection is closed", async () => {
  const { listener, result } = await reach(
    listenHttp(() => {}),
    { totalTimeoutMs: 60 },
  );
  expect(result).toMatchObject({ ok: false, status: null, address: "127.0.0.1", errorClass: "timeout" });
  expect(result.errorDetail).toBe("There was no complete answer within 0.06 s.");
  await closed(listener);
});

test("a server that sends its body slowly but steadily is cut off at the deadline", async () => {
  const { listener, result } = await reach(
    listenHttp((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(drip));
    }),
    { totalTimeoutMs: 1_500 },
  );
  expect(result).toMatchObject({ ok: false, status: 200, errorClass: "timeout", truncated: false });
  await closed(listener);
});

test("a server that sends its headers slowly but steadily is cut off at the deadline", async () => {
  const { listener, result } = await reach(
    listenRaw((socket) => {
      const drip = setInterval(() => socket.write("x"), 5);
      socket.on("close", () => clearInterval(drip)).write("HTTP/1.1 200 OK\r\nx-slow: ");
    }),
    { totalTimeoutMs: 1_500 },
  );
  expect(result).toMatchObject({ ok: false, status: null, errorClass: "timeout" });
  await closed(listener);
});

test("an answer of 16 MB is read only up to maxResponseBytes", async () => {
  const chunk = Buffer.alloc(65_536, "a");
  let sent = 0;
  const { listener, result } = await reach(
    listenHttp((_, response) => {
      const pump = () => {
        while (sent < 16 * 2 ** 20 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", pump);
        }
        response.end();
      };
      pump();
    }),
  );
  expect(result).toMatchObject({ ok: true, status: 200, truncated: true, errorClass: null });
  expect(Buffer.from(result.body)).toEqual(Buffer.alloc(16_384, "a"));
  await closed(listener);
  expect(sent).toBeLessThan(16 * 2 ** 20);
});

test("an answer of exactly maxResponseBytes is not truncated", async () => {
  const { result } = await reach(listenHttp((_, response) => response.end("a".repeat(16_384))));
  expect(result).toMatchObject({ ok: true, truncated: false });
  expect(result.body).toHaveLength(16_384);
});

test("with maxResponseBytes 0 the status alone decides", async () => {
  const { result } = await reach(
    listenHttp((_, response) => response.end("a")),
    { maxResponseBytes: 0 },
  );
  expect(result).toMatchObject({ ok: true, status: 200, truncated: true });
  expect(result.body).toHaveLength(0);
});

test("a refused connection is a connect error", async () => {
  const listener = await listenHttp(() => {});
  await listener.close();
  const result = await outbound.request({ url: `http://127.0.0.1:${listener.port}/`, maxResponseBytes: 1 });
  expect(result).toMatchObject({ ok: false, status: null, address: "127.0.0.1", errorClass: "connect" });
  expect(result.errorDetail).toBe("The server refused the connection.");
});

test("a reset before the answer is a connect error", async () => {
  const { result } = await reach(listenRaw((socket) => socket.resetAndDestroy()));
  expect(result).toMatchObject({ ok: false, status: null, address: "127.0.0.1", errorClass: "connect" });
});

test("a reset in the middle of the answer is a connect error", async () => {
  const { result } = await reach(
    listenRaw((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => socket.resetAndDestroy()),
    ),
  );
  expect(result).toMatchObject({ ok: false, errorClass: "connect" });
});

test("a close in the middle of the answer keeps its status", async () => {
  const { result } = await reach(
    listenRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")),
  );
  expect(result).toMatchObject({ ok: false, status: 200, errorClass: "connect", address: "127.0.0.1" });
  expect(Buffer.from(result.body).toString()).toBe("half");
});

test("a close in the middle of an answer with `connection: close` is a connect error", async () => {
  const answer = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nhalf";
  const { result } = await reach(listenRaw((socket) => socket.end(answer)));
  expect(result).toMatchObject({ ok: false, status: 200, errorClass: "connect" });
});

test("an answer without a length is complete when the connection closes", async () => {
  const { result } = await reach(listenRaw((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it")));
  expect(result).toMatchObject({ ok: true, status: 200 });
  expect(Buffer.from(result.body).toString()).toBe("all of it");
});

test.each([
  ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n"],
  ["endless headers", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(100_000)}`],
  ["a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno\r\n"],
])("an answer that is not valid HTTP is an http error: %s", async (_, answer) => {
  const { result } = await reach(listenRaw((socket) => socket.write(answer)));
  expect(result).toMatchObject({ ok: false, errorClass: "http", errorDetail: "The answer is not valid HTTP." });
});

test("an unrequested upgrade is not a success", async () => {
  const { result } = await reach(
    listenRaw((socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ),
  );
  expect(result.ok).toBe(false);
});

test("an abort by the caller rejects with its reason and closes the connection", async () => {
  const abort = new AbortController();
  const listener = await listenHttp(() => abort.abort(new Error("stopping")));
  onTestFinished(() => listener.close());
  const request = { url: `http://127.0.0.1:${listener.port}/`, maxResponseBytes: 1, signal: abort.signal };
  await expect(outbound.request(request)).rejects.toThrow("stopping");
  await closed(listener);
  await expect(outbound.request(request)).rejects.toThrow("stopping");
  expect(listener.connections).toHaveLength(1);
});

test("headers that cannot be sent reject with a TypeError", async () => {
  const request = { url: "http://127.0.0.1:1/", maxResponseBytes: 1, headers: { host: "internal" } };
  await expect(outbound.request(request)).rejects.toThrow(TypeError);
});

async function closed(listener: Listener): Promise<void> {
  await Promise.all(
    listener.connections.map((socket) => socket.closed || new Promise((resolve) => socket.once("close", resolve))),
  );
}
