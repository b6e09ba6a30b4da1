import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOutbound } from "./outbound";
import { createResolver } from "./resolve";
import { type DnsServer, startDnsServer } from "./testing/dns-server";
import { type Listener, listen, listenHttp } from "./testing/listener";

let dns: DnsServer;
let listener: Listener;
let hits: number;

beforeEach(async () => {
  hits = 0;
  dns = await startDnsServer({});
  listener = await listenHttp((request, response) => {
    hits += 1;
    if (request.url === "/last") response.setHeader("connection", "close");
    response.end();
  }, "0.0.0.0");
});

afterEach(async () => {
  await listener.close();
  await dns.close();
});

function send(name: string, allowCidrs: string[], connectTimeoutMs?: number) {
  const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs, allowHttp: true });
  return outbound.request({ url: `http://${name}:${listener.port}/`, maxResponseBytes: 100, connectTimeoutMs });
}

describe("refused after DNS, without a connection", () => {
  test.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "fe80::1",
    "fd00:ec2::254",
  ])("%s", async (address) => {
    dns.records.set("hook.test", [address]);
    const result = await send("hook.test", []);
    expect(result).toMatchObject({ ok: false, status: null, address: null, errorClass: "blocked_address" });
    expect(result.errorDetail).toBe("The name leads to a private or reserved address, which is not called.");
    expect(listener.connections).toHaveLength(0);
  });
});

test.each(["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"])(
  "the literal %s is refused before DNS",
  async (host) => {
    expect(await send(host, [])).toMatchObject({
      errorClass: "blocked_address",
      errorDetail: expect.stringMatching(/^The URL points to/),
    });
    expect(dns.asked).toHaveLength(0);
    expect(listener.connections).toHaveLength(0);
  },
);

test.each(["ftp://example.com/", "https://user@example.com/", "https://example.com:25/", "nonsense"])(
  "%s is refused",
  async (url) => {
    const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs: [], allowHttp: false });
    expect(await outbound.request({ url, maxResponseBytes: 1 })).toMatchObject({
      ok: false,
      errorClass: "blocked_address",
    });
    expect(dns.asked).toHaveLength(0);
  },
);

test("only the allowed ones of several addresses are used", async () => {
  dns.records.set("hook.test", ["127.0.0.2", "127.0.0.1", "::1"]);
  expect(await send("hook.test", ["127.0.0.1/32"])).toMatchObject({ ok: true, address: "127.0.0.1" });
});

test("if an address refuses the connection, the next one is tried", async () => {
  dns.records.set("hook.test", ["127.0.0.2", "127.0.0.1"]);
  const other = await listenHttp((_, response) => response.end());
  const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs: ["127.0.0.0/8"], allowHttp: true });
  const result = await outbound.request({ url: `http://hook.test:${other.port}/`, maxResponseBytes: 1 });
  await other.close();
  expect(result).toMatchObject({ ok: true, address: "127.0.0.1" });
});

test("a name without an address is a dns error", async () => {
  expect(await send("absent.test", [])).toMatchObject({
    errorClass: "dns",
    errorDetail: "The name has no address.",
    address: null,
  });
});

test("a silent name server is a timeout of the connection", async () => {
  dns.records.set("silent.test", null);
  const result = await send("silent.test", [], 60);
  expect(result).toMatchObject({ errorClass: "timeout", errorDetail: "There was no connection within 0.06 s." });
});

test("a socket whose peer is not allowed is closed before the first byte", async () => {
  // The system connects 0.0.0.0 to this machine, so the peer's address is not the one that was checked.
  let bytes = 0;
  const bare = createServer((socket) => socket.on("data", (chunk) => (bytes += chunk.length)));
  const target = await listen(bare);
  const accepted = new Promise<void>((resolve) =>
    bare.once("connection", (socket) => socket.once("close", () => resolve())),
  );
  const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs: ["0.0.0.0/32"], allowHttp: true });
  const result = await outbound.request({
    url: `http://0.0.0.0:${target.port}/`,
    method: "POST",
    body: "secret",
    maxResponseBytes: 1,
  });
  expect(result).toMatchObject({ ok: false, errorClass: "blocked_address" });
  await accepted;
  await target.close();
  expect(bytes).toBe(0);
});

describe("rebinding", () => {
  const path = (rest: string) => ({ url: `http://hook.test:${listener.port}/${rest}`, maxResponseBytes: 100 });

  test("a name that changes to a private address is refused on the next connection", async () => {
    const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs: ["127.0.0.1/32"], allowHttp: true });
    dns.records.set("hook.test", ["127.0.0.1"]);
    expect(await outbound.request(path("last"))).toMatchObject({ ok: true, address: "127.0.0.1" });
    dns.records.set("hook.test", ["127.0.0.2"]);
    expect(await outbound.request(path(""))).toMatchObject({ ok: false, errorClass: "blocked_address", address: null });
    expect(hits).toBe(1);
    dns.records.set("hook.test", ["127.0.0.1"]);
    expect(await outbound.request(path(""))).toMatchObject({ ok: true, address: "127.0.0.1" });
  });

  test("an open connection stays with the address that was checked", async () => {
    const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs: ["127.0.0.1/32"], allowHttp: true });
    dns.records.set("hook.test", ["127.0.0.1"]);
    await outbound.request(path(""));
    dns.records.set("hook.test", ["127.0.0.2"]);
    expect(await outbound.request(path(""))).toMatchObject({ ok: true, address: "127.0.0.1" });
    expect(listener.connections).toHaveLength(1);
    expect(dns.asked).toHaveLength(2);
  });

  test("a connection that the server closed while idle is resolved and checked again", async () => {
    const outbound = createOutbound({ resolve: createResolver(dns), allowCidrs: ["127.0.0.1/32"], allowHttp: true });
    dns.records.set("hook.test", ["127.0.0.1"]);
    await outbound.request(path(""));
    dns.records.set("hook.test", ["127.0.0.2"]);
    const [socket] = listener.connections;
    await new Promise<void>((resolve) => socket?.once("close", () => resolve()).end());
    expect(await outbound.request(path(""))).toMatchObject({ ok: false, errorClass: "blocked_address" });
    expect(hits).toBe(1);
  });
});
