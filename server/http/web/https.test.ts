import { beforeAll, expect, it } from "vitest";
import { POST as change } from "@/app/api/auth/[...nextauth]/route";
import { signInCookieHeader } from "@/server/access/second-factor/challenge";
import { env } from "@/server/core/env";
import { call } from "@/server/testing/request";
import { person } from "@/server/testing/person";
import { world } from "@/server/testing/world";
import { trpcHandler } from "@/server/trpc/handler";
import { authOptions } from "./console-auth";

const origin = "https://id.example.edu";

beforeAll(() => {
  process.env["PUBLIC_URL"] = origin;
  expect(env().PUBLIC_URL).toBe(origin);
});

it("under https, every answer of the API tells browsers to keep to it", async () => {
  for (const path of [
    "/v1/subjects",
    "/healthz",
    "/public/credentials/none",
    "/oauth/token",
    "/.well-known/oauth-authorization-server",
    "/V1",
  ]) {
    const { headers } = await call("GET", path);
    expect([path, headers.get("strict-transport-security"), headers.get("x-content-type-options")]).toEqual([
      path,
      "max-age=31536000",
      "nosniff",
    ]);
  }
});

it("under https, every cookie of a sign-in is bound to this host", async () => {
  const options = authOptions(new Request(`${origin}/api/auth/csrf`), () => undefined);
  // Its csrf-token, which is not configured here, has the prefix with useSecureCookies.
  expect(options.useSecureCookies).toBe(true);
  const cookies = Object.values(options.cookies!);
  expect(cookies).toHaveLength(2);
  for (const { name, options: attributes } of cookies)
    expect([name, attributes]).toEqual([
      expect.stringMatching(/^__Host-/),
      { httpOnly: true, sameSite: "lax", path: "/", secure: true },
    ]);
  expect(signInCookieHeader("x")).toMatch(/^__Host-.*Path=\/;.*Secure$/);
});

it("under https, changes come from PUBLIC_URL's pages alone, sign-in and sign-out too", async () => {
  const { headers } = await person(await world(), "owner");
  const changed = async (from: string | null) => {
    const sent = new Headers({
      ...Object.fromEntries(headers),
      "content-type": "application/json",
      host: "127.0.0.1:3000",
      ...(from && { origin: from }),
    });
    return (
      await trpcHandler(
        new Request(`${origin}/api/trpc/subjects.upsert`, {
          method: "POST",
          headers: sent,
          body: '{"externalId":"1"}',
        }),
      )
    ).status;
  };
  expect(await changed(origin)).toBe(200);
  for (const from of ["http://127.0.0.1:3000", "http://id.example.edu", "https://id.example.edu.evil.example", null]) {
    expect([from, await changed(from)]).toEqual([from, 403]);
    const signOut = await change(
      new Request(`${origin}/api/auth/signout`, { method: "POST", ...(from && { headers: { origin: from } }) }),
      { params: Promise.resolve({ nextauth: ["signout"] }) },
    );
    expect([from, signOut.status]).toEqual([from, 403]);
  }
});
