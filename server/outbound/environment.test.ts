import { expect, test } from "vitest";
import { runChild } from "@/server/testing/child";
import { listenHttp, listenRaw } from "./testing/listener";

test("a proxy in the environment is ignored, so that the address that was checked is the one that is called", async () => {
  const proxy = await listenRaw((socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"));
  const target = await listenHttp((_, response) => response.writeHead(204).end());
  const url = `http://127.0.0.1:${proxy.port}`;
  const names = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "npm_config_proxy",
    "npm_config_https_proxy",
  ];
  const env = {
    ...Object.fromEntries(names.map((name) => [name, url])),
    NO_PROXY: "",
    no_proxy: "",
    NODE_USE_ENV_PROXY: "1",
  };
  // The target speaks no TLS, so the https request fails, but at the target and not at the proxy.
  const child = await runChild(
    "server/outbound/testing/request.child.ts",
    [`http://127.0.0.1:${target.port}/`, `https://127.0.0.1:${target.port}/`],
    env,
  );
  try {
    expect([JSON.parse(await child.line()), JSON.parse(await child.line())]).toEqual([
      { status: 204, address: "127.0.0.1", errorClass: null },
      { status: null, address: "127.0.0.1", errorClass: "tls" },
    ]);
    expect([proxy.connections.length, target.connections.length]).toEqual([0, 2]);
    // Node's own fetch uses the proxy, which proves that the environment was effective.
    expect(await child.line()).toBe("failed failed");
    expect([proxy.connections.length, target.connections.length]).toEqual([2, 2]);
  } finally {
    await child.kill();
    await Promise.all([proxy.close(), target.close()]);
  }
});
