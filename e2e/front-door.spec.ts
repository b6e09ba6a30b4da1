import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { newOrganisation } from "./fixtures/organisation";
import { expect, oneBrowser, test } from "./fixtures/test";

/** Sends bytes and returns the whole answer. */
async function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test("sign-in reads no body that is larger than a form, in any encoding", oneBrowser, async ({ service }) => {
  const declared = await raw(
    service.url,
    "POST /api/auth/callback/credentials HTTP/1.1\r\nHost: a\r\nContent-Length: 67108864\r\n\r\n",
  );
  expect(declared).toMatch(/^HTTP\/1\.1 413 [^]*"payload_too_large"/);
  const request = httpRequest(`${service.url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: service.url },
  });
  request.on("error", () => undefined);
  const piece = "x".repeat(64 * 1024);
  const send = () => {
    while (!request.destroyed) if (!request.write(piece)) return void request.once("drain", send);
  };
  send();
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  expect(answer.statusCode).toBe(413);
  await once(request, "close");
  // It still serves requests, and the aborted requests cause no crash later.
  expect((await fetch(`${service.url}/api/auth/csrf`)).status).toBe(200);
});

test("no path redirects to another site", oneBrowser, async ({ service }) => {
  for (const path of [
    "//evil.example",
    "//evil.example/%2e%2e",
    "/\\evil.example",
    "/%09/evil.example",
    "/%5Cevil.example",
    "/c//evil.example",
    "///evil.example/..",
  ]) {
    const answer = await raw(
      service.url,
      `GET ${path} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nConnection: close\r\n\r\n`,
    );
    const location = /^location: (.*)\r$/im.exec(answer)?.[1];
    expect([path, location === undefined || new URL(location, service.url).origin === service.url]).toEqual([
      path,
      true,
    ]);
  }
  // A code in capitals is redirected to its canonical address. A cache in front of us must not store a redirect to a
  // host that only the client named.
  const { api } = await newOrganisation(service, "Redirecting University");
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Card",
    kind: "membership",
    publish: true,
  });
  const { code } = await api<{ code: string }>("POST", "/v1/credentials", {
    subject: { externalId: "sent-on" },
    templateId,
  });
  const sentOn = await raw(
    service.url,
    `GET /C/${code.replaceAll("-", "")} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
  );
  expect(sentOn).toMatch(/^HTTP\/1\.1 308 /);
  expect(/^location: (.*)\r$/im.exec(sentOn)?.[1]).toBe(`/c/${code}`);
  const absolute = await raw(
    service.url,
    "GET http://evil.example/c/zzzz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
  );
  expect(absolute).toMatch(/^HTTP\/1\.1 421 [^]*"misdirected_request"/);
});

test("pages have a content security policy, and no cache stores a missing page", oneBrowser, async ({ service }) => {
  const page = await fetch(`${service.url}/verify`);
  const policy = page.headers.get("content-security-policy")!;
  for (const part of [
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "default-src 'self'",
  ])
    expect(policy).toContain(part);
  for (const path of ["/verify", "/", "/sign-in", "/docs", "/docs/reference", "/webhooks/whe_none", "/nothing/here"]) {
    const answer = await fetch(`${service.url}${path}`, {
      headers: { "content-security-policy": "script-src 'nonce-theirs'" },
    });
    const sources = /script-src ([^;]*)/.exec(answer.headers.get("content-security-policy")!)![1]!;
    expect([path, sources]).toEqual([path, expect.not.stringMatching(/unsafe-inline|theirs/)]);
    const scripts = Array.from((await answer.text()).matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([^]*?)<\/script>/g));
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, script] of scripts) {
      const nonce = /nonce="([^"]+)"/.exec(attributes!)?.[1];
      const source = nonce ? `'nonce-${nonce}'` : `'sha256-${createHash("sha256").update(script!).digest("base64")}'`;
      expect([path, sources.split(" ").includes(source), script!.slice(0, 80)]).toEqual([
        path,
        true,
        script!.slice(0, 80),
      ]);
    }
  }
  expect([page.headers.get("x-content-type-options"), page.headers.get("x-frame-options")]).toEqual([
    "nosniff",
    "DENY",
  ]);
  for (const path of [
    "/c/ZZZZ-ZZZZ-ZZZZ-ZZZZ",
    "/nothing/here",
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/_next/static/none.js",
  ]) {
    const missing = await fetch(`${service.url}${path}`);
    expect([path, missing.status >= 400, missing.headers.get("cache-control")]).toEqual([path, true, "no-store"]);
  }
  for (const path of ["/V1/subjects", "/v2", "/openapi.yaml"]) {
    const unknown = await fetch(`${service.url}${path}`);
    expect([path, unknown.status, unknown.headers.get("content-type")]).toEqual([
      path,
      404,
      "application/problem+json",
    ]);
  }
  const viewer = await fetch(`${service.url}/docs/reference.js`, { headers: { "accept-encoding": "gzip" } });
  expect(viewer.headers.get("content-encoding")).toBe("gzip");
  expect(
    (await fetch(`${service.url}/docs/reference.js`, { headers: { "if-none-match": viewer.headers.get("etag")! } }))
      .status,
  ).toBe(304);
});

test(
  "every unknown code gets the same answer in any spelling, with the server on its default address",
  oneBrowser,
  async ({ service }) => {
    const misses = await Promise.all(
      [
        "/c/2222-2222-2222-2222",
        "/c/ZZZZ-ZZZZ-ZZZZ-ZZZZ",
        "/c/nonsense",
        "/C/NONSENSE",
        "/c/unknown",
        "/c/%E0%A4%A",
      ].map(async (path) => {
        const answer = await raw(
          service.url,
          `GET ${path} HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nConnection: close\r\n\r\n`,
        );
        expect([path, answer.slice(0, 12)]).toEqual([path, "HTTP/1.1 404"]);
        expect(answer).toMatch(/^cache-control: no-store\r$/im);
        expect(answer).toContain("There is no credential with this code");
        return answer.slice(answer.indexOf("\r\n\r\n"));
      }),
    );
    expect(new Set(misses).size).toBe(1);
  },
);

test("private answers are not cached, and refusals are pages for people", oneBrowser, async ({ service }) => {
  for (const path of [
    "/sign-in",
    "/sign-in?next=%2Fjobs",
    "/reset-password?token=abc",
    "/forgot-password",
    "/setup?token=abc",
    "/invite?token=abc",
    "/verify-email?token=abc",
    "/credentials",
  ]) {
    const page = await fetch(`${service.url}${path}`);
    expect([path, page.status, page.headers.get("cache-control")]).toEqual([
      path,
      200,
      expect.not.stringContaining("s-maxage"),
    ]);
    expect(page.headers.get("cache-control")).toContain("no-store");
  }
  for (const path of ["/%E0%A4%A", "/x1.png"]) {
    const missing = await fetch(`${service.url}${path}`, { headers: { accept: "text/html" } });
    expect([path, missing.status, missing.headers.get("content-type")]).toEqual([
      path,
      404,
      "text/html; charset=utf-8",
    ]);
    expect(await missing.text()).toContain("<h1>There is no such page</h1>");
  }
  expect((await fetch(`${service.url}/icon.svg`)).headers.get("content-type")).toBe("image/svg+xml");
});

test("signing in by a link that names another site stays on this site", async ({ page, service }) => {
  const email = "returning@example.edu";
  const password = "correct horse battery staple";
  const { id } = await service.admin<{ id: string }>([
    "org",
    "create",
    "--name",
    "Returning University",
    "--slug",
    "returning",
  ]);
  const { url } = await service.admin<{ url: string }>([
    "user",
    "create",
    "--org",
    id,
    "--email",
    email,
    "--role",
    "owner",
  ]);
  await page.goto(url);
  await page.getByLabel("Your name").fill("Olive Owner");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  for (const next of ["/%09/evil.example", "//evil.example", "/.%2F/evil.example", "https://evil.example"]) {
    // Leave the console first: a page whose session has ended goes to the sign-in page by itself.
    await page.goto("about:blank");
    await page.context().clearCookies();
    await page.goto(`${service.url}/sign-in?next=${next}`);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(new URL(page.url()).origin).toBe(service.url);
  }
});
