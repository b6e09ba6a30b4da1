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

it("under https every response of the API has Strict-Transport-Security", async () => {
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

it("under https every cookie of a sign-in has the __Host- prefix and is secure", async () => {
  const options = authOptions(new Request(`${origin}/api/auth/csrf`), () => undefined);
  // next-auth's own csrf-token cookie gets the prefix with useSecureCookies.
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

it("under https only pages of PUBLIC_URL may request changes, sign-in and sign-out", async () => {
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
