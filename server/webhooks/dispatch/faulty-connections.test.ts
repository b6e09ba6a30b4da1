import { once } from "node:events";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates, type SecureContextOptions } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { closeOutbound } from "@/server/outbound/request";
import { createAuthority, createCertificate } from "@/server/outbound/testing/certificates";
import { startDnsServer, type DnsServer } from "@/server/outbound/testing/dns-server";
import { ownDatabase } from "@/server/testing/own-database";
import { driveTime, pass } from "@/server/webhooks/testing/driven-time";
import { Listener } from "@/server/webhooks/testing/listener";
import { Pair } from "@/server/webhooks/testing/pair";
import { useStage } from "@/server/webhooks/testing/stage";

/** Uses the real resolver with the test's name server instead of the system's. */
const names = vi.hoisted(() => ({ servers: [] as string[] }));
vi.mock(import("@/server/outbound/resolve"), async (original) => {
  const { createResolver } = await original();
  return { createResolver: () => createResolver(names) };
});

const day = 86_400_000;
const authority = createAuthority("Bonafide Test CA");
const good = createCertificate({ names: ["hook.test"] }, authority);
const trusted = getCACertificates("default");

beforeAll(ownDatabase);
beforeAll(() => setDefaultCACertificates([...trusted, authority.cert]));
afterAll(() => setDefaultCACertificates(trusted));

const stage = useStage();
let dns: DnsServer;
beforeEach(async () => {
  dns = await startDnsServer({ "hook.test": ["127.0.0.1"] });
  names.servers = dns.servers;
});
afterEach(async () => {
  vi.useRealTimers();
  await closeOutbound();
  await dns.close();
});

async function listening(identity?: SecureContextOptions): Promise<Listener> {
  const listener = await new Listener(identity).start();
  onTestFinished(() => listener.close());
  return listener;
}

/** Creates an event for an endpoint that reaches the `sick` listener by name, and for a healthy one. */
async function happenAt(sick: Listener): Promise<Pair> {
  const s = stage();
  const pair = await Pair.register(s, `https://hook.test:${sick.port}/sick`);
  await s.happen();
  return pair;
}

/** Replaces the faulty listener at its port by a healthy one, and expects the second attempt to succeed. */
async function expectRecovery(pair: Pair, sick: Listener): Promise<void> {
  const healed = await listening(good);
  sick.accept = healed.accept;
  await pair.expectRecovery(healed);
}

describe("a host name", () => {
  it("without an address is a dns failure, and the retry succeeds", async () => {
    dns.records.delete("hook.test");
    const listener = await listening(good);
    const pair = await happenAt(listener);
    await stage().send();
    await pair.expectFailure({
      errorClass: "dns",
      errorDetail: "The name has no address.",
      address: null,
      statusCode: null,
    });
    dns.records.set("hook.test", ["127.0.0.1"]);
    await pair.expectRecovery(listener);
  });

  it.each(["10.0.0.1", "169.254.169.254", "::ffff:192.168.0.1", "64:ff9b::a00:1"])(
    "that resolves to %s is blocked: nothing is sent",
    async (address) => {
      dns.records.set("hook.test", [address]);
      const listener = await listening(good);
      const pair = await happenAt(listener);
      await stage().send();
      await pair.expectFailure({ errorClass: "blocked_address", address: null, statusCode: null, responseBody: "" });
      expect(listener.connections).toHaveLength(0);
      dns.records.set("hook.test", ["127.0.0.1"]);
      await pair.expectRecovery(listener);
    },
  );

  it("is resolved and checked again at each attempt", async () => {
    const listener = await listening(good);
    listener.answer = (_, response) => response.writeHead(503, { connection: "close" }).end();
    const pair = await happenAt(listener);
    await stage().send();
    await pair.expectFailure({ errorClass: "http", statusCode: 503, address: "127.0.0.1" });
    dns.records.set("hook.test", ["10.0.0.1"]);
    stage().advance(6000);
    await stage().send();
    expect((await pair.told()).attempts.map((a) => [a.number, a.errorClass])).toEqual([
      [2, "blocked_address"],
      [1, "http"],
    ]);
    expect(listener.connections).toHaveLength(1);
  });

  it("whose name server does not answer times out after 5 s", async () => {
    dns.records.set("hook.test", null);
    const listener = await listening(good);
    const pair = await happenAt(listener);
    driveTime();
    await pair.begin();
    while (!dns.asked.includes("hook.test")) await new Promise(setImmediate);
    await expectNoConnection(pair, { address: null });
    dns.records.set("hook.test", ["127.0.0.1"]);
    await pair.expectRecovery(listener);
  });
});

it("a refused connection is a connect failure, and the retry succeeds", async () => {
  const listener = await listening(good);
  // Nothing listens at this address.
  dns.records.set("hook.test", ["127.0.0.2"]);
  const pair = await happenAt(listener);
  await stage().send();
  await pair.expectFailure({
    errorClass: "connect",
    errorDetail: "The server refused the connection.",
    address: "127.0.0.2",
    statusCode: null,
  });
  dns.records.set("hook.test", ["127.0.0.1"]);
  await pair.expectRecovery(listener);
});

describe("TLS", () => {
  it.each([
    ["self-signed", createCertificate({ names: ["hook.test"] }), "The server's certificate is self-signed."],
    [
      "for another name",
      createCertificate({ names: ["other.test"] }, authority),
      "The server's certificate is for another name.",
    ],
    [
      "expired",
      createCertificate({ names: ["hook.test"], notAfter: new Date(Date.now() - day / 2) }, authority),
      "The server's certificate has expired.",
    ],
    [
      "of an unknown authority",
      createCertificate({ names: ["hook.test"] }, createAuthority("Other CA")),
      "The server's certificate chain is incomplete or not trusted.",
    ],
  ])("with a certificate that is %s is a failure, and nothing is sent", async (_, certificate, errorDetail) => {
    const sick = await listening(certificate);
    const pair = await happenAt(sick);
    await stage().send();
    await pair.expectFailure({
      errorClass: "tls",
      errorDetail,
      address: "127.0.0.1",
      statusCode: null,
      responseBody: "",
    });
    expect(sick.received).toHaveLength(0);
    await expectRecovery(pair, sick);
  });

  it.each([
    ["plain HTTP", (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")],
    ["a reset", (socket: Socket) => void socket.once("data", () => socket.resetAndDestroy())],
    ["a close", (socket: Socket) => void socket.once("data", () => socket.end())],
  ])("is a failure when the server answers the handshake with %s", async (_, fault) => {
    const sick = await listening(good);
    sick.accept = fault;
    const pair = await happenAt(sick);
    await stage().send();
    await pair.expectFailure({
      errorClass: "tls",
      errorDetail: "The TLS handshake failed.",
      address: "127.0.0.1",
      statusCode: null,
    });
    await expectRecovery(pair, sick);
  });

  it("times out after 5 s when the handshake never ends, and closes the connection", async () => {
    const sick = await listening(good);
    const hanging = new Promise<Socket>((resolve) => (sick.accept = (socket) => resolve(socket.resume())));
    const pair = await happenAt(sick);
    driveTime();
    await pair.begin();
    const socket = await hanging;
    await expectNoConnection(pair, { address: "127.0.0.1" });
    if (!socket.closed) await once(socket.end(), "close");
    await expectRecovery(pair, sick);
  });
});

/** Lets 5 s pass and expects the attempt to fail with a connect timeout exactly then. */
async function expectNoConnection(pair: Pair, told: Parameters<Pair["expectFailure"]>[0]): Promise<void> {
  const s = stage();
  await pass(s, 4999);
  expect((await pair.told()).delivery.attemptCount).toBe(0);
  await pass(s, 1);
  await s.dispatcher.settled();
  await pair.expectFailure({
    errorClass: "timeout",
    errorDetail: "There was no connection within 5 s.",
    durationMs: 5000,
    statusCode: null,
    ...told,
  });
}
