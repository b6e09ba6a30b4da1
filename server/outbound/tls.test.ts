import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { SecureContextOptions, TLSSocket, TlsOptions } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createOutbound } from "./outbound";
import { type Certificate, createAuthority, createCertificate } from "./testing/certificates";
import { type Listener, listen, listenHttp } from "./testing/listener";

const day = 86_400_000;
const authority = createAuthority("Bonafide Test CA");
const good = createCertificate({ names: ["hook.test", "127.0.0.1"] }, authority);
const outbound = createOutbound({
  resolve: async () => ["127.0.0.1"],
  allowCidrs: ["127.0.0.1/32"],
  allowHttp: true,
  ca: authority.cert,
});

function serve(certificate: Certificate & SecureContextOptions & TlsOptions, onSecure?: (socket: TLSSocket) => void) {
  const server = createServer(certificate, (_, response) => response.end("secure"));
  if (onSecure) server.on("secureConnection", onSecure);
  return listen(server);
}

async function reach(starting: Promise<Listener>, host = "hook.test", connectTimeoutMs?: number) {
  const listener = await starting;
  onTestFinished(() => listener.close());
  return outbound.request({ url: `https://${host}:${listener.port}/`, maxResponseBytes: 100, connectTimeoutMs });
}

test("a trusted certificate for the name is accepted", async () => {
  let servername: string | false | null = null;
  const result = await reach(serve(good, (socket) => (servername = socket.servername)));
  expect(result).toMatchObject({ ok: true, status: 200, address: "127.0.0.1" });
  expect(Buffer.from(result.body).toString()).toBe("secure");
  expect(servername).toBe("hook.test");
});

test("a trusted certificate is accepted if the URL has the name with its final dot", async () => {
  let servername: string | false | null = null;
  const result = await reach(
    serve(good, (socket) => (servername = socket.servername)),
    "hook.test.",
  );
  expect(result.ok).toBe(true);
  expect(servername).toBe("hook.test");
});

test("a trusted certificate for an IP address is accepted", async () => {
  expect(await reach(serve(good), "127.0.0.1")).toMatchObject({ ok: true, address: "127.0.0.1" });
});

test.each([
  ["self-signed", createCertificate({ names: ["hook.test"] }), "self-signed"],
  [
    "expired",
    createCertificate({ names: ["hook.test"], notAfter: new Date(Date.now() - day / 2) }, authority),
    "has expired",
  ],
  [
    "not valid yet",
    createCertificate({ names: ["hook.test"], notBefore: new Date(Date.now() + day / 2) }, authority),
    "not valid yet",
  ],
  ["for another name", createCertificate({ names: ["other.test"] }, authority), "for another name"],
  ["of an unknown authority", createCertificate({ names: ["hook.test"] }, createAuthority("Other CA")), "not trusted"],
])("a certificate that is %s is refused", async (_, certificate, words) => {
  const result = await reach(serve(certificate));
  expect(result).toMatchObject({ ok: false, status: null, address: "127.0.0.1", errorClass: "tls" });
  expect(result.errorDetail).toContain(words);
});

test("a server that speaks plain HTTP is a tls error", async () => {
  expect(await reach(listenHttp((_, response) => response.end()))).toMatchObject({ ok: false, errorClass: "tls" });
});

test("a server that only speaks TLS 1.1 is a tls error", async () => {
  const old = { ...good, minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  expect(await reach(serve(old))).toMatchObject({ ok: false, errorClass: "tls" });
});

test("a reset during the handshake is a tls error", async () => {
  const server = createTcpServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
  expect(await reach(listen(server))).toMatchObject({
    ok: false,
    errorClass: "tls",
    errorDetail: "The TLS handshake failed.",
  });
});

test("a handshake that never ends times out, and its connection is closed", async () => {
  let left: Promise<void> | undefined;
  const server = createTcpServer((socket) => {
    socket.resume();
    left = new Promise((resolve) => socket.once("close", () => resolve()));
  });
  const result = await reach(listen(server), "hook.test", 60);
  expect(result).toMatchObject({
    ok: false,
    errorClass: "timeout",
    errorDetail: "There was no connection within 0.06 s.",
    address: "127.0.0.1",
  });
  await left;
});
