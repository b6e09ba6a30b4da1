import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { env } from "@/server/core/env";
import { Directory } from "@/server/scim/testing/directory";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { frontDoor, type FrontDoor } from "./front-door";
import { apiListener } from "./listener";
import { affordableConnections } from "./open-files";

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

/** Starts a front door on a free port, and opens raw sockets to it. */
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

/** Reads everything that a socket sends until it ends. */
async function answerOn(socket: Socket): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = "", ...rest] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(":")).toLowerCase(),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(line.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

async function raw(text: string | Buffer, options?: Partial<FrontDoor>): Promise<Answer> {
  const { dial } = await listening(options);
  const socket = await dial();
  socket.write(text);
  return answerOn(socket);
}

function expectProblem(answer: Answer, status: number, code: string) {
  expect([
    answer.status,
    answer.headers["content-type"],
    answer.headers["x-content-type-options"],
    answer.headers["cache-control"],
  ]).toEqual([status, "application/problem+json", "nosniff", "no-store"]);
  expect(JSON.parse(answer.body)).toMatchObject({
    status,
    code,
    requestId: answer.headers["request-id"],
    detail: expect.stringMatching(/\w{5}/),
  });
}

let token: string;
beforeAll(async () => {
  token = await (await world()).key();
});

/** Expects a whole page for people. */
function isPage(answer: Answer, status: number, heading: string) {
  expect([answer.status, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
    status,
    "text/html; charset=utf-8",
    "no-store",
  ]);
  for (const part of [
    '<html lang="en">',
    `<title>${heading} · Bonafide</title>`,
    `<h1>${heading}</h1>`,
    `Reference ${answer.headers["request-id"]}`,
  ])
    expect(answer.body).toContain(part);
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
}

const close = "Connection: close\r\n";

describe("an unreadable request gets a problem document:", () => {
  it.each([
    ["garbage", "hello\r\n\r\n", 400, "malformed_request"],
    ["a header without a name", "GET /v1/me HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400, "malformed_request"],
    [
      "two lengths",
      "POST /v1/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "malformed_request",
    ],
    ["two Host headers", "GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "malformed_request"],
    [
      "the same Host header twice",
      "GET http://localhost/v1/me HTTP/1.1\r\nHost: a\r\nHOST: a\r\n\r\n",
      400,
      "malformed_request",
    ],
    ["no Host", "GET /v1/me HTTP/1.1\r\n\r\n", 400, "malformed_request"],
    [
      "raw UTF-8 in the address",
      Buffer.from(`GET /v1/subjects?q=José HTTP/1.1\r\nHost: a\r\n${close}\r\n`),
      400,
      "malformed_request",
    ],
    [
      "headers that are too large",
      `GET /v1/me HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "header_fields_too_large",
    ],
    [
      "an expectation that nobody meets",
      `GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n`,
      417,
      "expectation_failed",
    ],
  ])("%s", async (_, text, status, code) => {
    expectProblem(await raw(text), status, code);
  });

  it("a request that does not arrive in time", async () => {
    const limits = { requestMs: 50, headersMs: 50, checkMs: 10 };
    const begun = `POST /v1/verify HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`;
    expectProblem(await raw(begun, { limits }), 408, "request_timeout");
    expectProblem(await raw("GET /v1/me HT", { limits }), 408, "request_timeout");
  });
});

describe("CONNECT", () => {
  it.each(["evil.example:443", "127.0.0.1:5432"])(
    "to %s gets a problem document, and the connection is closed",
    async (to) => {
      const answer = await raw(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\nbytes for the tunnel`);
      expectProblem(answer, 405, "method_not_allowed");
      expect([answer.headers["allow"], answer.headers["connection"]]).toEqual([
        expect.stringContaining("GET"),
        "close",
      ]);
    },
  );
});

describe("a request line", () => {
  it("with OPTIONS * is answered, and with GET * refused", async () => {
    const answer = await raw(`OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}\r\n`);
    expect([answer.status, answer.headers["allow"]]).toEqual([204, expect.stringContaining("GET")]);
    expectProblem(await raw(`GET * HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request");
  });

  it("in absolute form is served for the service's own hosts", async () => {
    const { dial, port } = await listening();
    for (const own of [`http://127.0.0.1:${port}`, `http://LOCALHOST:${port}`, env().PUBLIC_URL]) {
      const socket = await dial();
      socket.write(
        `GET ${own}/v1/subjects?limit=1 HTTP/1.1\r\nHost: elsewhere.example\r\nAuthorization: Bearer ${token}\r\n${close}\r\n`,
      );
      const answer = await answerOn(socket);
      expect([own, answer.status, JSON.parse(answer.body)]).toEqual([own, 200, expect.objectContaining({ data: [] })]);
    }
  });

  it("in absolute form is refused for another host, for the API and for pages", async () => {
    for (const path of ["/v1/subjects", "/c/7Q2M0X4K9VTBC31E", ""]) {
      expectProblem(
        await raw(`GET http://evil.example${path} HTTP/1.1\r\nHost: evil.example\r\n${close}\r\n`),
        421,
        "misdirected_request",
      );
    }
    expectProblem(await raw(`GET ftp://evil.example/ HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request");
  });
});

it.each(["h2c", "websocket"])("a request to upgrade to %s is served as HTTP/1.1", async (protocol) => {
  const ask = `Upgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nConnection: Upgrade, HTTP2-Settings, close\r\n`;
  const answer = await raw(
    `GET /v1/subjects?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${ask}\r\n`,
  );
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, expect.objectContaining({ nextCursor: null })]);
  const body = JSON.stringify({ externalId: "upgraded" });
  const put = await raw(
    `PUT /v1/subjects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${ask}\r\n${body}`,
  );
  expect([200, 201]).toContain(put.status);
});

describe("a body for a page", () => {
  /** As next-auth does: reads the whole body. */
  const reader = (seen: { bytes: number }) => async (request: IncomingMessage, response: ServerResponse) => {
    for await (const chunk of request) seen.bytes += (chunk as Buffer).length;
    response.writeHead(200).end(`read ${seen.bytes}`);
  };

  it("up to the limit is passed on, with and without a length", async () => {
    const seen = { bytes: 0 };
    const body = "x".repeat(64 * 1024);
    expect(
      (
        await raw(
          `POST /api/auth/callback HTTP/1.1\r\nHost: a\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`,
          { pages: reader(seen) },
        )
      ).body,
    ).toContain("read 65536");
    expect(
      (
        await raw(
          `POST /api/auth/callback HTTP/1.1\r\nHost: a\r\n${close}Transfer-Encoding: chunked\r\n\r\n10000\r\n${body}\r\n0\r\n\r\n`,
          { pages: reader(seen) },
        )
      ).body,
    ).toContain("read 131072");
  });

  it("over the limit is refused by its declared length before a byte of it is read", async () => {
    const seen = { bytes: 0 };
    expectProblem(
      await raw("POST /api/auth/callback/credentials HTTP/1.1\r\nHost: a\r\nContent-Length: 67108864\r\n\r\n", {
        pages: reader(seen),
      }),
      413,
      "payload_too_large",
    );
    expectProblem(
      await raw("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 67108864\r\n\r\n", {
        pages: reader(seen),
      }),
      413,
      "payload_too_large",
    );
    expect(seen.bytes).toBe(0);
  });

  it("without a length is refused as soon as it exceeds the limit; the rest is discarded and the connection closed", async () => {
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
    expect([response.statusCode, response.headers["content-type"], response.headers.connection]).toEqual([
      413,
      "application/problem+json",
      "close",
    ]);
    await once(request, "close");
    expect(seen.bytes).toBeLessThanOrEqual(64 * 1024);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0);
  });

  it("for the API is limited only by the API, also when Next serves the API in development", async () => {
    const seen = { bytes: 0 };
    const body = "x".repeat(1024 * 1024);
    const server = await listening({ pages: reader(seen) });
    const development = frontDoor({ pages: reader(seen), upgrades: true }).listen(0, "127.0.0.1");
    await once(development, "listening");
    open.push({ server: development, sockets: [] });
    const { port } = development.address() as AddressInfo;
    expect(await (await fetch(`http://127.0.0.1:${port}/v1/subjects/bulk`, { method: "POST", body })).text()).toBe(
      `read ${body.length}`,
    );
    expect((await fetch(`http://127.0.0.1:${server.port}/api/auth/x`, { method: "POST", body })).status).toBe(413);
  });

  it("whose client sends Expect: 100-continue gets 100 Continue if it fits", async () => {
    const { port } = await listening({ pages: reader({ bytes: 0 }) });
    const request = httpRequest({
      port,
      host: "127.0.0.1",
      method: "POST",
      path: "/api/auth/x",
      headers: { expect: "100-continue", "content-length": 3 },
    });
    request.flushHeaders();
    await once(request, "continue");
    request.end("abc");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(200);
  });
});

it.each([
  ["chunked", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"],
  ["of no bytes", "Content-Length: 0\r\n", ""],
])("a directory deletes a user with an empty body, %s, and its media type", async (_, header, body) => {
  const directory = await Directory.open(await world());
  const { id } = await directory.user("ada@example.org");
  const head = `DELETE /scim/v2/Users/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${directory.token}\r\nContent-Type: application/scim+json\r\n${header}${close}\r\n`;
  expect(await raw(head + body)).toMatchObject({ status: 204, body: "" });
  expect((await directory.scim("GET", `/Users/${id}`)).status).toBe(404);
});

it("a chunked body over the API's own limit gets 413", async () => {
  const { dial } = await listening();
  const socket = await dial();
  const head = `PUT /v1/subjects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(`${head}200000\r\n${"x".repeat(0x200000)}\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*"payload_too_large"/);
});

describe("a request that arrives slowly", () => {
  const limits = { requestMs: 100, checkMs: 10 };
  const uploadHead = (token: string) =>
    `PUT /v1/subjects/sub_00000000000000000000000000/photo HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n${close}\r\n`;

  /** Sends a piece every 20 ms, `times` times or until the server answers. @returns how many were sent. */
  async function drip(socket: Socket, piece: Buffer, times: number): Promise<number> {
    let sent = 0;
    let answered = false;
    socket.once("readable", () => (answered = true));
    for (; sent < times && !answered; sent++) {
      socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return sent;
  }

  it("gets 408, also when it is a file that arrives in drops", async () => {
    const { dial } = await listening({ limits });
    const json = await dial();
    json.write(
      `POST /v1/templates HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    expectProblem(await answerOn(json), 408, "request_timeout");
    const file = await dial();
    file.write(uploadHead(token));
    await drip(file, Buffer.from("x"), 500);
    expectProblem(await answerOn(file), 408, "request_timeout");
  });

  it("may take longer when it is a file that arrives fast enough", async () => {
    const { dial } = await listening({ limits });
    const file = await dial();
    file.write(uploadHead(token));
    const pieces = 20;
    expect(await drip(file, Buffer.alloc(4096, "x"), pieces)).toBe(pieces);
    file.write("0\r\n\r\n");
    expectProblem(await answerOn(file), 404, "not_found");
  });
});

it("a client that does not take its response is cut off while others are served", async () => {
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

it("connections above MAX_CONNECTIONS are closed at once", async () => {
  const { server, dial } = await listening();
  expect(server.maxConnections).toBe(affordableConnections(env().MAX_CONNECTIONS));
  server.maxConnections = 1;
  await dial();
  const dropped = once(server, "drop");
  const second = await dial();
  await Promise.all([dropped, once(second.resume(), "close")]);
});

it("one address holds no more connections than its limit, and behind a proxy no more unfinished requests", async () => {
  const direct = await listening({ limits: { perAddress: 2 } });
  const first = await direct.dial();
  await direct.dial();
  const third = await direct.dial();
  await once(third.resume(), "close");
  first.end();
  await once(first.resume(), "close");
  const { port } = direct;
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/docs`).catch(() => null))?.status).toBe(200);

  const hops = env().TRUST_PROXY;
  env().TRUST_PROXY = 1;
  try {
    const { dial } = await listening({ limits: { perAddress: 2 }, pages: () => new Promise(() => undefined) });
    const from = async (address: string, text: string) => {
      const socket = await dial();
      socket.write(`POST /api/auth/x HTTP/1.1\r\nHost: a\r\n${close}X-Forwarded-For: ${address}\r\n${text}`);
      return socket;
    };
    const half = "Expect: 100-continue\r\nContent-Length: 10\r\n\r\n";
    const held = [await from("192.0.2.1", half), await from("192.0.2.1", half)];
    await Promise.all(held.map((socket) => once(socket, "data")));
    expectProblem(await answerOn(await from("192.0.2.1", half)), 429, "rate_limited");
    expect(String(await once(await from("192.0.2.2", half), "data"))).toContain("100 Continue");
    held[0]!.destroy();
    await expect.poll(async () => String(await once(await from("192.0.2.1", half), "data"))).toContain("100 Continue");
  } finally {
    env().TRUST_PROXY = hops;
  }
});

describe("pages", () => {
  it("with a malformed escape or NUL in their path are refused before Next sees them; a query may hold anything", async () => {
    expectProblem(await raw(`GET /api/auth/%zz HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 400, "malformed_request");
    for (const path of ["/verify/%00", "/%E0%A4%A"]) {
      expectProblem(await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`), 404, "not_found");
      isPage(
        await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n${close}\r\n`),
        404,
        "There is no such page",
      );
    }
    expect((await raw(`GET /verify?code=100% HTTP/1.1\r\nHost: a\r\n${close}\r\n`)).body).toContain(
      "This is not a code",
    );
  });

  it("with status 404 are not cached", async () => {
    const missing = async (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader("cache-control", "s-maxage=31536000");
      response.statusCode = 404;
      response.end("nothing");
    };
    expect(
      (await raw(`GET /nothing HTTP/1.1\r\nHost: a\r\n${close}\r\n`, { pages: missing })).headers["cache-control"],
    ).toBe("no-store");
  });

  it("that Next lets shared caches keep for a year are not cached, except those of the documentation", async () => {
    const built = async (_: IncomingMessage, response: ServerResponse) => {
      response.setHeader("cache-control", "s-maxage=31536000");
      response.end("a page");
    };
    for (const path of ["/sign-in", "/sign-in?next=/jobs", "/reset-password?token=abc", "/setup", "/credentials"]) {
      expect([
        path,
        (await raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`, { pages: built })).headers["cache-control"],
      ]).toEqual([path, "no-store"]);
    }
    expect(
      (await raw(`GET /docs/errors HTTP/1.1\r\nHost: a\r\n${close}\r\n`, { pages: built })).headers["cache-control"],
    ).toBe("s-maxage=31536000");
  });

  it("of credentials are served without Next: an unknown code gets one fixed page with 404, and another spelling redirects to the code's address", async () => {
    const seen: string[] = [];
    const bodies = new Set<string>();
    const next = async (request: IncomingMessage, response: ServerResponse) => {
      seen.push(request.url!);
      response.writeHead(200, { "content-length": 6 }).end("a page");
    };
    const get = (path: string) => raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`, { pages: next });
    for (const path of [
      "/c/2222-2222-2222-2222",
      "/c/nonsense",
      "/C/NONSENSE",
      "/c/unknown",
      "/c/%E0%A4%A",
      "/c/%00",
      "/c/2222222222222222?_rsc=1",
      "/c/nonsense/",
    ]) {
      const { status, body, headers } = await get(path);
      expect([path, status, headers["cache-control"]]).toEqual([path, 404, "no-store"]);
      expect(body).toContain("There is no credential with this code");
      bodies.add(body);
    }
    expect(bodies.size).toBe(1);
    const { json } = await call("POST", "/v1/templates", {
      token,
      body: { name: "Card", kind: "membership", publish: true },
    });
    const issued = await call("POST", "/v1/credentials", {
      token,
      body: { subject: { externalId: "one-address" }, templateId: json<{ id: string }>().id },
    });
    const { code } = issued.json<{ code: string }>();
    for (const path of [`/C/${code}`, `/c/${code.toLowerCase()}`, `/c/${code.replaceAll("-", "%20")}`, `/c/${code}/`]) {
      const { status, headers } = await get(path);
      expect([path, status, headers["location"]]).toEqual([path, 308, `/c/${code}`]);
    }
    const page = await get(`/c/${code}?_rsc=1`);
    expect([page.status, page.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(page.body).toContain("This credential is valid at this moment.");
    expect((await get("/verify?code=x")).body).toContain("This is not a code");
    expect(seen).toEqual([]);
  });

  it("are not rendered for files that do not exist, which get 404", async () => {
    const files = new Set(["/icon.svg", "/_next/static/chunks/a.js", "/openapi.json"]);
    const get = (path: string) => raw(`GET ${path} HTTP/1.1\r\nHost: a\r\n${close}\r\n`, { files });
    for (const path of ["/x1.png", "/_next/static/chunks/b.js", "/favicon.ico?1", "/wp-login.php", "/a/b.txt"])
      expectProblem(await get(path), 404, "not_found");
    for (const path of [...files, "/icon.svg?1", "/_next/image?url=%2Ficon.svg"])
      expect([path, (await get(path)).body]).toEqual([path, expect.stringContaining("page")]);
    expect((await get("/verify")).body).toContain("<title>Check a credential");
  });

  // Must be the last test, because it uses up the rate limit of the address that all tests here share.
  it("are rate-limited by address, separately from the API, prefetches and files", async () => {
    const { port } = await listening({ files: new Set(["/_next/static/chunks/a.js", "/icon.svg"]) });
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers });
    const limit = env().RATE_LIMIT_ADDRESS;
    const ahead = { rsc: "1", "next-router-prefetch": "1" };
    for (let n = 0; n < limit + 5; n++) await (await get("/docs?_rsc=1", ahead)).text();
    const statuses = new Set<number>();
    for (let n = 0; n < limit + 5; n++) {
      const answer = await get(n % 2 ? "/x1.png" : "/docs");
      await answer.text();
      statuses.add(answer.status);
    }
    expect([...statuses]).toEqual([200, 404, 429]);
    const refused = await get("/verify", { accept: "text/html,*/*" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const body = await refused.text();
    isPage({ status: refused.status, headers: Object.fromEntries(refused.headers), body }, 429, "Too many requests");
    expect(body).toContain("Try again in");
    // One header alone does not make a navigation a prefetch, and a public page never counts as one.
    for (const [name, value] of Object.entries(ahead))
      expect((await get("/verify", { [name]: value })).status).toBe(429);
    for (const path of ["/c/7Q2M-0X4K-9VTB-C31E", "/verify"]) expect((await get(path, ahead)).status).toBe(429);
    expect((await get("/docs?_rsc=1", ahead)).status).toBe(200);
    for (const path of ["/_next/static/chunks/a.js", "/icon.svg", "/api/trpc/session.get"])
      expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await get("/healthz")).status).toBe(200);
  });
});
