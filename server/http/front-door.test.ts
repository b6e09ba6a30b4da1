import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { world } from "@/server/testing/world";
import { frontDoor, type FrontDoor } from "./front-door";
import { apiListener } from "./listener";

const api = apiListener();
const pages = async (_: IncomingMessage, response: ServerResponse) => void response.end("page");
const open: { server: Server; sockets: Socket[] }[] = [];

afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    sockets.forEach((socket) => socket.destroy());
    server.closeAllConnections();
    server.close();
  }
});

/** A server of our own on a free port, and raw sockets to it. */
async function listening(options: Partial<FrontDoor> = {}) {
  const server = frontDoor({ api, pages, ...options }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  open.push({ server, sockets });
  const dial = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  };
  return { server, port, dial };
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** All that a socket sends until it ends. */
async function answerOn(socket: Socket): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = "", ...rest] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(fields.map((field) => [field.slice(0, field.indexOf(":")).toLowerCase(), field.slice(field.indexOf(":") + 1).trim()]));
  return { status: Number(line.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

async function raw(text: string | Buffer, options?: Partial<FrontDoor>): Promise<Answer> {
  const { dial } = await listening(options);
  const socket = await dial();
  socket.write(text);
  return answerOn(socket);
}

function isProblem(answer: Answer, status: number, code: string) {
  expect([answer.status, answer.headers["content-type"], answer.headers["x-content-type-options"], answer.headers["cache-control"]]).toEqual([status, "application/problem+json", "nosniff", "no-store"]);
  expect(JSON.parse(answer.body)).toMatchObject({ status, code, requestId: answer.headers["request-id"], detail: expect.stringMatching(/\w{5}/) });
}

let token: string;
beforeAll(async () => {
  token = await (await world()).key();
});

const close = "Connection: close\r\n";

describe("what Node's parser cannot read gets a problem document", () => {
  it.each([
    ["garbage", "hello\r\n\r\n", 400, "malformed_request"],
    ["a header without a name", "GET /v1/me HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400, "malformed_request"],
    ["two lengths", "POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400, "malformed_request"],
    ["no Host", "GET /v1/me HTTP/1.1\r\n\r\n", 400, "malformed_request"],
    ["raw UTF-8 in the address", Buffer.from(`GET /v1/subjects?q=José HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request"],
    ["headers that are too large", `GET /v1/me HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431, "header_fields_too_large"],
    ["an expectation that nobody meets", `GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n`, 417, "expectation_failed"],
  ])("%s", async (_, text, status, code) => {
    isProblem(await raw(text), status, code);
  });

  it("a request that does not arrive in time", async () => {
    const limits = { requestMs: 50, headersMs: 50, checkMs: 10 };
    const begun = `POST /v1/verify HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`;
    isProblem(await raw(begun, { limits }), 408, "request_timeout");
    isProblem(await raw("GET /v1/me HT", { limits }), 408, "request_timeout");
  });
});

describe("the request line", () => {
  it("OPTIONS * is answered", async () => {
    const answer = await raw(`OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}\r\n`);
    expect([answer.status, answer.headers["allow"]]).toEqual([204, expect.stringContaining("GET")]);
    isProblem(await raw(`GET * HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request");
  });

  it("in absolute form is served for our own host", async () => {
    const { dial, port } = await listening();
    for (const own of [`http://127.0.0.1:${port}`, `http://LOCALHOST:${port}`, env().PUBLIC_URL]) {
      const socket = await dial();
      socket.write(`GET ${own}/v1/subjects?limit=1 HTTP/1.1\r\nHost: elsewhere.example\r\nAuthorization: Bearer ${token}\r\n${close}\r\n`);
      const answer = await answerOn(socket);
      expect([own, answer.status, JSON.parse(answer.body)]).toEqual([own, 200, expect.objectContaining({ data: [] })]);
    }
  });

  it("in absolute form is refused for another host, for the API and for pages", async () => {
    for (const path of ["/v1/subjects", "/c/7Q2M0X4K9VTBC31E", ""]) {
      isProblem(await raw(`GET http://evil.example${path} HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n`), 421, "misdirected_request");
    }
    isProblem(await raw(`GET ftp://evil.example/ HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request");
  });
});

it.each(["h2c", "websocket"])("a request to upgrade to %s is served as HTTP/1.1", async (protocol) => {
  const ask = `Upgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings, close\r\n`;
  const answer = await raw(`GET /v1/subjects?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${ask}\r\n`);
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, expect.objectContaining({ nextCursor: null })]);
  const body = JSON.stringify({ externalId: "upgraded" });
  const put = await raw(`PUT /v1/subjects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${ask}\r\n${body}`);
  expect([200, 201]).toContain(put.status);
});

describe("a body for a page", () => {
  /** As next-auth does: reads all there is. */
  const reader = (seen: { bytes: number }) => async (request: IncomingMessage, response: ServerResponse) => {
    for await (const chunk of request) seen.bytes += (chunk as Buffer).length;
    response.writeHead(200).end(`read ${seen.bytes}`);
  };

  it("up to the ceiling is handed on, with and without a length", async () => {
    const seen = { bytes: 0 };
    const body = "x".repeat(64 * 1024);
    expect((await raw(`POST /api/auth/callback HTTP/1.1\r\nHost: a\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`, { pages: reader(seen) })).body).toContain("read 65536");
    expect((await raw(`POST /api/auth/callback HTTP/1.1\r\nHost: a\r\n${close}Transfer-Encoding: chunked\r\n\r\n10000\r\n${body}\r\n0\r\n\r\n`, { pages: reader(seen) })).body).toContain("read 131072");
  });

  it("over the ceiling is refused by its declared length before a byte of it is read", async () => {
    const seen = { bytes: 0 };
    isProblem(await raw("POST /api/auth/callback/credentials HTTP/1.1\r\nHost: a\r\nContent-Length: 67108864\r\n\r\n", { pages: reader(seen) }), 413, "payload_too_large");
    isProblem(await raw("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 67108864\r\n\r\n", { pages: reader(seen) }), 413, "payload_too_large");
    expect(seen.bytes).toBe(0);
  });

  it("without a length is refused as soon as it grows over the ceiling; the rest is not kept and the connection is closed", async () => {
    const seen = { bytes: 0 };
    const { port, server } = await listening({ pages: reader(seen) });
    const request = httpRequest({ port, host: "127.0.0.1", method: "POST", path: "/api/auth/callback/credentials" });
    request.on("error", () => undefined);
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, "x");
    const send = () => {
      while (sent < 64 * 1024 * 1024 && !request.destroyed) {
        sent += piece.length;
        if (!request.write(piece)) return void request.once("drain", send);
      }
    };
    send();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect([response.statusCode, response.headers["content-type"], response.headers.connection]).toEqual([413, "application/problem+json", "close"]);
    await once(request, "close");
    expect(seen.bytes).toBeLessThanOrEqual(64 * 1024);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
  });

  it("for the API has the API's own ceiling, also where Next serves it in development", async () => {
    const seen = { bytes: 0 };
    const body = "x".repeat(1024 * 1024);
    const server = await listening({ pages: reader(seen) });
    const development = frontDoor({ pages: reader(seen), upgrades: true }).listen(0, "127.0.0.1");
    await once(development, "listening");
    open.push({ server: development, sockets: [] });
    const { port } = development.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/v1/subjects/bulk`, { method: "POST", body })).text()).toBe(`read ${body.length}`);
    expect((await fetch(`http://127.0.0.1:${server.port}/api/auth/x`, { method: "POST", body })).status).toBe(413);
  });

  it("that asks first is told to go on where it fits", async () => {
    const { port } = await listening({ pages: reader({ bytes: 0 }) });
    const request = httpRequest({ port, host: "127.0.0.1", method: "POST", path: "/api/auth/x", headers: { expect: "100-continue", "content-length": 3 } });
    request.flushHeaders();
    await once(request, "continue");
    request.end("abc");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(200);
  });
});

it("the API's own ceiling answers 413 to a body without end", async () => {
  const { dial } = await listening();
  const socket = await dial();
  const head = `PUT /v1/subjects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(`${head}200000\r\n${"x".repeat(0x200000)}\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*"payload_too_large"/);
});

it("a client that does not take its answer is cut off, while others are served", async () => {
  let cut: () => void;
  const gone = new Promise<void>((resolve) => (cut = resolve));
  const large = Buffer.alloc(32 * 1024 * 1024);
  const { dial } = await listening({
    limits: { answerMs: 100, checkMs: 10 },
    pages: async (request, response) => {
      if (request.url !== "/large") return void response.end("small");
      response.once("close", () => cut());
      response.end(large);
    },
  });
  const slow = await dial();
  slow.pause();
  slow.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  const other = await dial();
  other.write(`GET / HTTP/1.1\r\nHost: a\r\n${close}\r\n`);
  expect((await answerOn(other)).body).toContain("small");
  await gone;
  slow.resume();
  const [failed] = await Promise.race([once(slow, "close"), once(slow, "end")]);
  expect(failed === true || slow.bytesRead < large.length).toBe(true);
});

it("more connections than allowed are closed at once", async () => {
  const { server, dial } = await listening();
  expect(server.maxConnections).toBe(env().MAX_CONNECTIONS);
  server.maxConnections = 1;
  await dial();
  const dropped = once(server, "drop");
  const second = await dial();
  await Promise.all([dropped, once(second.resume(), "close")]);
});

describe("pages", () => {
  it("whose path holds a malformed escape or a NUL are refused before Next sees them; a query is the page's own", async () => {
    for (const path of ["/c/%", "/api/auth/%zz", "/verify/%00"]) isProblem(await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request");
    expect((await raw(`GET /verify?code=100% HTTP/1.1\r\nHost: a\r\n${close}\r\n`)).body).toContain("page");
  });

  it("that are refused or missing are kept by no cache", async () => {
    const missing = async (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader("cache-control", "s-maxage=31536000");
      response.statusCode = 404;
      response.end("nothing");
    };
    expect((await raw(`GET /c/unknown HTTP/1.1\r\nHost: a\r\n${close}\r\n`, { pages: missing })).headers["cache-control"]).toBe("no-store");
  });

  // The last one: the address that all of these ask from has nothing left afterwards.
  it("are limited by address, apart from the API; files of theirs are not counted", async () => {
    const { port } = await listening();
    const get = (path: string, headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await (await get("/c/X")).text();
    const limit = env().RATE_LIMIT_ADDRESS;
    const statuses = new Set<number>();
    for (let n = 0; n < limit + 5; n++) {
      const answer = await get(n % 2 ? "/c/7Q2M-0X4K-9VTB-C31E" : "/docs");
      await answer.text();
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([200, 429]);
    const refused = await get("/verify", { accept: "text/html,*/*" });
    expect([refused.status, refused.headers.get("content-type"), Number(refused.headers.get("retry-after")) > 0]).toEqual([429, "text/plain; charset=utf-8", true]);
    expect(await refused.text()).toContain("Try again in");
    for (const path of ["/_next/static/chunks/a.js", "/icon.svg", "/api/trpc/session.get"]) expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await get("/healthz")).status).toBe(200);
  });
});
