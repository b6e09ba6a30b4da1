import { beforeAll, describe, expect, it } from "vitest";
import { listAudit } from "@/server/access/list-audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";

let w: World;
let token: string;
let templateId: string;
let n = 0;

beforeAll(async () => {
  w = await world();
  token = await w.key();
  templateId = (await publishedTemplate(w.ctx)).id;
});

const secret = "kept-by-the-caller";
const sent = { order: 7, nested: { [secret]: true } };

const creations: Record<string, () => [string, object]> = {
  credentials: () => ["/v1/credentials", { subject: { externalId: `m-${++n}` }, templateId }],
  templates: () => ["/v1/templates", { name: `M ${++n}`, kind: "membership" }],
  webhook_endpoints: () => ["/v1/webhook_endpoints", { url: "http://127.0.0.1:49151/" }],
};

type Made = { id: string; metadata: unknown; code?: string };

describe.each(Object.entries(creations))("metadata of %s", (collection, creation) => {
  async function make(metadata?: unknown) {
    const [path, body] = creation();
    return call("POST", path, { token, body: { ...body, ...(metadata !== undefined && { metadata }) } });
  }
  const patch = (id: string, metadata: unknown) =>
    call("PATCH", `/v1/${collection}/${id}`, { token, body: { metadata } });

  it("is stored, returned and listed, and empty by default", async () => {
    expect((await make()).json<Made>().metadata).toEqual({});
    const made = (await make({ ...sent, gone: null })).json<Made>();
    expect(made.metadata).toEqual(sent);
    expect((await call("GET", `/v1/${collection}/${made.id}`, { token })).json<Made>().metadata).toEqual(sent);
    const { data } = (await call("GET", `/v1/${collection}?limit=1`, { token })).json<{ data: Made[] }>();
    expect(data[0]!.metadata).toEqual(sent);
  });

  it("is merged by a change: null removes a key, and an unchanged value emits no event", async () => {
    const { id } = (await make(sent)).json<Made>();
    const changed = (await patch(id, { order: null, nested: { more: [1] } })).json<Made & { updatedAt: string }>();
    expect(changed.metadata).toEqual({ nested: { [secret]: true, more: [1] } });
    // Verifications of an earlier test are written in the background.
    const events = async () =>
      (await eventsOf(w.orgId)).filter(({ type }) => !/^credential\.(?:verif|viewed)/.test(type)).length;
    const before = await events();
    expect((await patch(id, { nested: { more: [1] } })).json()).toEqual(changed);
    expect(await events()).toBe(before);
  });

  it("is limited to 4 KiB and 8 levels, including what is stored already", async () => {
    expect((await make({ a: "x".repeat(4080) })).status).toBe(201);
    const deep = { a: { a: { a: { a: { a: { a: { a: { a: {} } } } } } } } };
    for (const wrong of [{ a: "x".repeat(4096) }, deep, [], "text"]) expect((await make(wrong)).status).toBe(400);
    const { id } = (await make({ a: "x".repeat(3000) })).json<Made>();
    const answer = await patch(id, { b: "x".repeat(3000) });
    expect([answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]!.pointer]).toEqual([
      400,
      "/metadata",
    ]);
  });

  it("is in no event, no public response and not in the audit log", async () => {
    const { id, code } = (await make(sent)).json<Made>();
    await patch(id, { [secret]: 1 });
    expect(JSON.stringify(await eventsOf(w.orgId))).not.toContain(secret);
    expect(JSON.stringify(await listAudit(w.ctx, { limit: 100 }))).not.toContain(secret);
    if (code) expect((await call("GET", `/public/credentials/${code}`)).text).not.toContain(secret);
    if (code) expect((await call("POST", "/v1/verify", { token, body: { code } })).text).not.toContain(secret);
  });
});

describe("metadata of a credential", () => {
  it("can be changed in every state, unlike data and expiry", async () => {
    const { id } = (
      await call("POST", "/v1/credentials", { token, body: { subject: { externalId: `m-${++n}` }, templateId } })
    ).json<Made>();
    await call("POST", `/v1/credentials/${id}/revoke`, { token, body: { reason: "Left" } });
    expect(
      (await call("PATCH", `/v1/credentials/${id}`, { token, body: { metadata: { a: 1 } } })).json(),
    ).toMatchObject({ state: "revoked", metadata: { a: 1 } });
    expect(
      (await call("PATCH", `/v1/credentials/${id}`, { token, body: { metadata: { a: 2 }, data: { b: 1 } } })).status,
    ).toBe(409);
  });

  it("is copied to a reissued credential unless other metadata is sent", async () => {
    const { id } = (
      await call("POST", "/v1/credentials", {
        token,
        body: { subject: { externalId: `m-${++n}` }, templateId, metadata: sent },
      })
    ).json<Made>();
    const second = (await call("POST", `/v1/credentials/${id}/reissue`, { token, body: {} })).json<Made>();
    expect(second.metadata).toEqual(sent);
    expect(
      (await call("POST", `/v1/credentials/${second.id}/reissue`, { token, body: { metadata: { a: 1 } } })).json<Made>()
        .metadata,
    ).toEqual({ a: 1 });
  });
});
