import { beforeAll, expect, it, describe } from "vitest";
import { createApiKey } from "@/server/access/create-api-key";
import { revokeApiKey } from "@/server/access/revoke-api-key";
import { scopes, type Scope } from "@/server/core/scopes";
import { changes } from "@/server/testing/changes";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { describedRoutes } from "@/server/http/openapi/document";

// Contract section 2: a stored response is repeated only to callers who could make the request today.
const repeatable = describedRoutes()
  .filter(
    ({ method, spec }) => (method === "POST" || method === "PATCH") && spec.operation.operation.kind === "command",
  )
  .map(({ method, path, spec }) => ({
    method,
    path,
    title: `${method} ${path}`,
    /** The scopes, if one of several is enough. */
    anyOf: Array.isArray(spec.operation.operation.scope) ? (spec.operation.operation.scope as Scope[]) : undefined,
  }));

let home: World;
let foreign: World;
let foreignToken: string;
/** For each scope, a token that has every other scope. */
let lacking: { scope: string; token: string }[];

beforeAll(async () => {
  [home, foreign] = [await world(), await world()];
  foreignToken = await foreign.key(...scopes);
  lacking = await Promise.all(
    scopes.map(async (scope) => ({ scope, token: await home.key(...scopes.filter((each) => each !== scope)) })),
  );
});

it("every command that accepts an Idempotency-Key has a request that succeeds (server/testing/changes.ts)", () => {
  expect(repeatable.map(({ title }) => title).filter((title) => !changes[title])).toEqual([]);
});

describe.each(repeatable.filter(({ title }) => changes[title]))("$title", ({ method, path, title, anyOf }) => {
  it("repeats its response only to callers who could make the request today", async () => {
    const { id: keyId, secret } = await createApiKey(home.ctx, { name: "first", scopes: [...scopes] });
    const { id, run, body, file, type = "text/csv" } = await changes[title]!(home.ctx);
    const at = path
      .replace("{id}", id ?? "")
      .replace("{run}", run ?? "")
      .replace("{version}", "1");
    const send = (token: string, key: string) =>
      call(method, at, {
        token,
        headers: { "idempotency-key": key, ...(file !== undefined && { "content-type": type }) },
        ...(body !== undefined && { body }),
        ...(file !== undefined && { raw: file }),
      });
    const stored = `${title} stored`;

    const first = await send(secret, stored);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([
      first.status < 300 ? first.status : 200,
      null,
    ]);
    const repeat = await send(secret, stored);
    expect([repeat.status, repeat.text, repeat.headers.get("idempotent-replayed")]).toEqual([
      first.status,
      first.text,
      "true",
    ]);

    // A request with a new key shows what the token may do; the repeat must have the same result.
    let refused = 0;
    const none = anyOf && {
      scope: anyOf[0]!,
      token: await home.key(...scopes.filter((each) => !anyOf.includes(each))),
    };
    for (const { scope, token } of [...lacking, ...(none ? [none] : [])]) {
      const [anew, replayed] = [await send(token, `${title} without ${scope}`), await send(token, stored)];
      expect([scope, replayed.status === 403]).toEqual([scope, anew.status === 403]);
      if (replayed.status !== 403) continue;
      refused++;
      expect(replayed.json()).toMatchObject({ code: "insufficient_scope", scope });
    }
    expect(refused).toBeGreaterThan(0);

    const theirs = await send(foreignToken, stored);
    expect(theirs.headers.get("idempotent-replayed")).toBeNull();
    if (id) expect([theirs.status, theirs.json()["code"]]).toEqual([404, "not_found"]);
    else expect(theirs.text).not.toBe(first.text);

    await revokeApiKey(home.ctx, { id: keyId });
    expect((await send(secret, stored)).status).toBe(401);
  });
});
