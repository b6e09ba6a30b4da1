import { describe, expect, it } from "vitest";
import { createTemplate } from "@/server/templates/create";
import { publishTemplateVersion } from "@/server/templates/publish-version";
import { Office } from "@/server/policies/testing/office";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { bulkCredentials } from "./bulk";
import type { CredentialView } from "./view";

async function prize() {
  const w = await world();
  const token = await w.key();
  const { id: templateId } = await publishedTemplate(w.ctx, { name: "Prize", repeatable: true });
  const issue = (body: object = {}) =>
    call("POST", "/v1/credentials", { token, body: { subject: { externalId: "s-1" }, templateId, ...body } });
  const held = async (state = "active") =>
    (await call("GET", `/v1/credentials?templateId=${templateId}&state=${state}`, { token })).json<{
      data: CredentialView[];
    }>().data;
  return { ...w, token, templateId, issue, held };
}

describe("a repeatable template", () => {
  it("gives one person another credential with each issue", async () => {
    const { issue, held } = await prize();
    const [first, second] = [await issue(), await issue()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect((await held()).map(({ id }) => id).sort()).toEqual([first.json()["id"], second.json()["id"]].sort());
  });

  it("gives one person as many as a bulk request names them", async () => {
    const { ctx, templateId, held } = await prize();
    const item = { templateId, subject: { externalId: "s-1" } };
    const { result } = await bulkCredentials(ctx, { action: "issue", items: [item, item, item] });
    expect(result!.data.map((row) => row.ok)).toEqual([true, true, true]);
    expect(await held()).toHaveLength(3);
  });

  it.each(["fail", "return", "replace"])(
    "refuses ifExists %s, with a pointer, and issues nothing",
    async (ifExists) => {
      const { ctx, issue, held, templateId } = await prize();
      const answer = await issue({ ifExists });
      expect([answer.status, answer.json()["errors"]]).toEqual([
        400,
        [{ pointer: "/ifExists", code: "not_supported", message: expect.stringContaining("repeatable") }],
      ]);
      const { result } = await bulkCredentials(ctx, {
        action: "issue",
        items: [
          { templateId, subject: { externalId: "s-2" }, ifExists },
          { templateId, subject: { externalId: "s-2" } },
        ],
      });
      expect(result).toMatchObject({ succeeded: 1, failed: 1 });
      expect(await held()).toHaveLength(1);
    },
  );

  it("replaces only the reissued credential", async () => {
    const { token, issue, held } = await prize();
    const [first, second] = [(await issue()).json(), (await issue()).json()];
    const answer = await call("POST", `/v1/credentials/${String(first["id"])}/reissue`, { token, body: {} });
    expect([answer.status, answer.json()["supersedes"]]).toEqual([201, first["id"]]);
    expect((await held()).map(({ id }) => id).sort()).toEqual([second["id"], answer.json()["id"]].sort());
  });

  it("can be chosen until the first publication, and is fixed from then on", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await createTemplate(w.ctx, { name: "Prize", kind: "membership" });
    const patch = (body: object) => call("PATCH", `/v1/templates/${id}`, { token, body });
    expect((await patch({ repeatable: true })).json()["repeatable"]).toBe(true);
    await publishTemplateVersion(w.ctx, { id, version: 1 });
    const refused = await patch({ repeatable: false });
    expect([refused.status, refused.json()["code"]]).toEqual([409, "template_in_use"]);
    const renamed = await patch({ repeatable: true, name: "Award" });
    expect([renamed.status, renamed.json()]).toMatchObject([200, { name: "Award", repeatable: true }]);
  });
});

describe("a policy of a repeatable template", () => {
  it("issues one, in addition to those that people issue, and no second one for another policy", async () => {
    const office = await Office.open(await world(), {}, { repeatable: true });
    await office.people([1]);
    const byHand = { subject: { externalId: "p-1" }, templateId: office.templateId };
    await call("POST", "/v1/credentials", { token: office.token, body: byHand });
    expect((await office.apply()).counts).toMatchObject({ issue: 1, foreign: 0 });
    expect((await office.apply()).counts).toMatchObject({ issue: 0, keep: 1 });
    const other = await office.beside({ rule: { field: "status", op: "eq", value: "active" } });
    expect((await other.apply()).counts).toMatchObject({ issue: 0, foreign: 1 });
    expect((await call("POST", "/v1/credentials", { token: office.token, body: byHand })).status).toBe(201);
    expect((await office.credentials()).map(({ source }) => (source as { type: string }).type).sort()).toEqual([
      "api",
      "api",
      "policy",
    ]);
  });

  it("issues no other if a person ended its credential, although one that was issued by hand ended since", async () => {
    const office = await Office.open(await world(), {}, { repeatable: true });
    await office.people([1]);
    await office.apply();
    const [own] = await office.credentials();
    const revoke = (id: string) =>
      call("POST", `/v1/credentials/${id}/revoke`, { token: office.token, body: { reason: "Withdrawn" } });
    await revoke(own!.id);
    const byHand = { subject: { externalId: "p-1" }, templateId: office.templateId };
    await call("POST", "/v1/credentials", { token: office.token, body: byHand });
    expect((await office.apply()).counts).toMatchObject({ issue: 0, blocked: 1 });
  });
});
