import { describe, expect, it } from "vitest";
import { publicId } from "@/server/core/ids";
import { requireSecondFactor } from "@/server/organisations/require-second-factor";
import { person } from "@/server/testing/person";
import { picture } from "@/server/testing/photo";
import { world } from "@/server/testing/world";
import type { Problem } from "./errors";
import { trpcHandler } from "./handler";
import { appRouter } from "./root";

const origin = "http://localhost:3000";

interface Answer {
  result?: { data: never };
  error?: { message: string; data: { code: string; httpStatus: number; problem: Problem } };
}

async function ask(
  path: string,
  {
    headers,
    input,
    method = "POST",
    from = origin,
  }: { headers?: Headers; input?: unknown; method?: string; from?: string | null },
) {
  const url = new URL(`/api/trpc/${path}`, origin);
  if (method === "GET" && input) url.searchParams.set("input", JSON.stringify(input));
  const sent = new Headers(headers);
  sent.set("content-type", "application/json");
  if (from) sent.set("origin", from);
  const response = await trpcHandler(
    new Request(url, { method, headers: sent, ...(method === "POST" && { body: JSON.stringify(input ?? {}) }) }),
  );
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

const get = (path: string, headers?: Headers, input?: unknown) =>
  ask(path, { method: "GET", input, ...(headers && { headers }) });

describe("the console's procedures", () => {
  it("run operations as the person of the session", async () => {
    const { headers } = await person(await world(), "owner");
    const made = await ask("subjects.upsert", { headers, input: { externalId: "1", displayName: "Ada" } });
    expect(made.body.result!.data).toMatchObject({ created: true, subject: { externalId: "1" } });
    const list = await get("subjects.list", headers, { limit: 1 });
    expect(list.body.result!.data).toMatchObject({ data: [{ displayName: "Ada" }], nextCursor: null });
    expect(list.headers.get("cache-control")).toBe("no-store");
    expect((await get("session.get", headers)).body.result!.data).toMatchObject({
      current: { role: "owner" },
      scopes: expect.arrayContaining(["members:owners"]),
    });
  });

  it("report refusals of the domain with the codes of the error table", async () => {
    const { headers } = await person(await world(), "owner");
    const missing = await get("subjects.get", headers, { id: "sub_0" });
    expect(missing.status).toBe(404);
    expect(missing.body.error!.data).toMatchObject({
      code: "NOT_FOUND",
      problem: {
        code: "not_found",
        status: 404,
        detail: expect.stringContaining("sub_0"),
        requestId: missing.headers.get("request-id"),
      },
    });
    const invalid = await ask("subjects.upsert", { headers, input: { externalId: "", nonsense: 1 } });
    expect(invalid.body.error!.data).toMatchObject({
      code: "BAD_REQUEST",
      problem: {
        code: "invalid_request",
        errors: [{ pointer: "/externalId" }, { pointer: "/nonsense", code: "unknown_field" }],
      },
    });
    expect((await get("subjects.nothing", headers)).body.error!.data.problem).toMatchObject({ code: "not_found" });
  });

  it("stream a file in pieces, and refuse it like any other answer", async () => {
    const { headers } = await person(await world(), "owner");
    for (const externalId of ["1", "2"]) await ask("subjects.upsert", { headers, input: { externalId } });
    const streamed = new Headers(headers);
    streamed.set("trpc-accept", "application/jsonl");
    const download = async (input: unknown) => {
      const response = await trpcHandler(
        new Request(
          `${origin}/api/trpc/subjects.export?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input }))}`,
          { headers: streamed },
        ),
      );
      return response.text();
    };
    expect(await download({ sort: "externalId" })).toMatch(/\ufeffid,externalId,[^]*,1,,,active[^]*,2,,,active/);
    expect(await download({ sort: "nothing" })).toContain('"code":"invalid_request"');
  });

  it("accept a photo in base64 and return it as a data URL", async () => {
    const { headers } = await person(await world(), "owner");
    const {
      subject: { id },
    } = (await ask("subjects.upsert", { headers, input: { externalId: "1" } })).body.result!.data as {
      subject: { id: string };
    };
    const photo = (await picture()).toString("base64");
    expect((await ask("subjects.setPhoto", { headers, input: { id, photo } })).body.result!.data).toMatchObject({
      id,
      photoUpdatedAt: expect.any(String),
    });
    expect(
      (await get("subjects.photo", headers, { id, density: "2x", accept: "image/webp" })).body.result!.data,
    ).toMatch(/^data:image\/webp;base64,/);
    expect(
      (await ask("subjects.setPhoto", { headers, input: { id, photo: "AAAA" } })).body.error!.data.problem,
    ).toMatchObject({ code: "unsupported_media_type" });
    expect(
      (await ask("subjects.setPhoto", { headers, input: { id, photo: "no base64!" } })).body.error!.data.problem,
    ).toMatchObject({ code: "invalid_request" });
  });

  it("refuse input that PostgreSQL cannot store and input that is nested too deeply", async () => {
    const { headers } = await person(await world(), "owner");
    const deep = Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], 1);
    for (const attributes of [{ a: "x\0" }, { "\ud800": 1 }]) {
      expect(
        (await ask("subjects.upsert", { headers, input: { externalId: "1", attributes } })).body.error!.data.problem,
      ).toMatchObject({ code: "invalid_request", status: 400 });
    }
    expect((await get("subjects.list", headers, { q: "\0" })).body.error!.data.problem.code).toBe("invalid_request");
    expect(
      (await ask("bulk.start", { headers, input: { action: "revoke", items: [deep] } })).body.error!.data.problem.code,
    ).toBe("malformed_json");
  });

  it("name the scope that a role lacks", async () => {
    const { headers } = await person(await world(), "viewer");
    const refused = await ask("subjects.upsert", { headers, input: { externalId: "1" } });
    expect(refused.body.error!.data).toMatchObject({
      httpStatus: 403,
      problem: { code: "insufficient_scope", members: { scope: "subjects:write" } },
    });
  });

  it("refuse a request without a session", async () => {
    const refused = await get("subjects.list");
    expect([refused.status, refused.body.error!.data.problem.code]).toEqual([401, "unauthenticated"]);
    expect((await get("session.get")).body.result!.data).toBeNull();
    expect((await ask("session.endAll", {})).body.error!.data.problem.code).toBe("unauthenticated");
    expect((await ask("links.inspect", { input: { token: "none" } })).body.error!.data.problem.code).toBe(
      "link_unusable",
    );
    expect((await ask("links.inspect", { input: { token: "x".repeat(70_000) } })).body.error!.data.problem.code).toBe(
      "payload_too_large",
    );
  });

  it("all refuse a request without a session, except those of one-time links and the session itself", async () => {
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    );
    const open: string[] = [];
    for (const [path, { _def }] of procedures) {
      const { body } = await ask(path, { method: _def.type === "query" ? "GET" : "POST" });
      if (body.error?.data.problem.code !== "unauthenticated") open.push(path);
    }
    expect(open.sort()).toEqual([
      "links.acceptInvitation",
      "links.completeSetup",
      "links.inspect",
      "links.requestPasswordReset",
      "links.resetPassword",
      "links.verifyEmail",
      "session.get",
      "signIn.cancel",
      "signIn.passkeyOptions",
      "signIn.sso",
      "signIn.state",
    ]);
  });

  it("all refuse a person whose second factor is due, except those that set it up", async () => {
    const home = await world();
    const { headers } = await person(home, "owner");
    await requireSecondFactor(home.ctx, { required: true });
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    ).filter(([path]) => !/^(links|signIn)\./.test(path));
    const open: string[] = [];
    for (const [path, { _def }] of procedures) {
      const { body } = await ask(path, { headers, method: _def.type === "query" ? "GET" : "POST" });
      if (body.error?.data.problem.code !== "second_factor_required") open.push(path);
    }
    expect(open.sort()).toEqual([
      "secondFactor.addPasskey",
      "secondFactor.confirmAuthenticator",
      "secondFactor.list",
      "secondFactor.passkeyOptions",
      "secondFactor.setUpAuthenticator",
      "session.get",
    ]);
    expect((await get("session.get", headers)).body.result!.data).toMatchObject({
      secondFactor: { isSetUp: false, isDue: true },
      scopes: [],
    });
  });

  it("bind the options of a passkey to the browser with a cookie that scripts cannot read", async () => {
    const asked = await ask("signIn.passkeyOptions", {});
    expect(asked.headers.get("set-cookie")).toMatch(
      /^bonafide\.sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=300$/,
    );
    const cookie = asked.headers.get("set-cookie")!.split(";")[0]!;
    expect(
      (await ask("signIn.passkeyOptions", { headers: new Headers({ cookie }) })).headers.get("set-cookie"),
    ).toBeNull();
    expect((await ask("signIn.cancel", { headers: new Headers({ cookie }) })).headers.get("set-cookie")).toContain(
      "Max-Age=0",
    );
    expect(
      (await ask("signIn.passkeyOptions", { headers: new Headers({ cookie }) })).headers.get("set-cookie"),
    ).not.toBeNull();
  });

  it("refuse a page that shows another organisation than the session's", async () => {
    const home = await world();
    const { headers } = await person(home, "owner");
    headers.set("x-organisation", publicId("org", home.orgId));
    expect((await ask("subjects.upsert", { headers, input: { externalId: "1" } })).status).toBe(200);
    headers.set("x-organisation", publicId("org", (await world()).orgId));
    expect((await ask("subjects.upsert", { headers, input: { externalId: "2" } })).body.error!.data.problem.code).toBe(
      "organisation_switched",
    );
    expect((await get("session.get", headers)).body.result!.data).toMatchObject({
      current: { orgId: publicId("org", home.orgId) },
    });
  });

  it("refuse batches of more than 30, and count each procedure of a batch as a request", async () => {
    const { headers } = await person(await world(), "viewer");
    const batch = async (size: number) => {
      const paths = Array.from({ length: size }, () => "credentials.counts").join(",");
      const input = JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, n) => [n, {}])));
      return trpcHandler(
        new Request(`${origin}/api/trpc/${paths}?batch=1&input=${encodeURIComponent(input)}`, { headers }),
      );
    };
    const statuses = [];
    for (let n = 0; n < 20; n++) statuses.push((await batch(30)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await batch(1)).status).toBe(429);
    const { headers: fresh } = await person(await world(), "viewer");
    headers.set("cookie", fresh.get("cookie")!);
    const refused = await batch(31);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("atch")]);
  });

  it("accept changes from the loopback names of PUBLIC_URL, and refuse them from any other host name", async () => {
    const { headers } = await person(await world(), "owner");
    expect(
      (await ask("subjects.upsert", { headers, from: "http://127.0.0.1:3000", input: { externalId: "1" } })).status,
    ).toBe(200);
    const sent = new Headers(headers);
    for (const [name, value] of Object.entries({
      host: "rebound.example",
      origin: "http://rebound.example",
      "content-type": "application/json",
    }))
      sent.set(name, value);
    const refused = await trpcHandler(
      new Request("http://rebound.example/api/trpc/subjects.upsert", {
        method: "POST",
        headers: sent,
        body: '{"externalId":"2"}',
      }),
    );
    expect(refused.status).toBe(403);
  });

  it("refuse changes from another site, even with a valid cookie", async () => {
    const { headers } = await person(await world(), "owner");
    for (const from of ["https://evil.example", "null", null]) {
      const refused = await ask("subjects.upsert", { headers, from, input: { externalId: "1" } });
      expect([refused.status, refused.body.error!.data.problem.code]).toEqual([403, "cross_origin"]);
    }
    expect((await get("subjects.upsert", headers, { externalId: "1" })).body.error!.data.problem.code).toBe(
      "method_not_allowed",
    );
    expect((await get("subjects.list", headers)).body.result!.data).toMatchObject({ data: [] });
  });
});
