import { describe, expect, it } from "vitest";
import { listAudit } from "@/server/access/list-audit";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { archiveTemplateVersion } from "./archive-version";
import { createTemplate } from "./create";
import { createTemplateVersion } from "./create-version";
import { publishTemplateVersion } from "./publish-version";

describe("DELETE /v1/templates/{id}", () => {
  it("deletes a template that was never published, with its drafts, and frees its slug", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await createTemplate(w.ctx, { name: "Draft", kind: "membership", slug: "draft" });
    await createTemplateVersion(w.ctx, { id });
    await archiveTemplateVersion(w.ctx, { id, version: 1 });
    expect((await call("DELETE", `/v1/templates/${id}`, { token })).status).toBe(204);
    for (const path of [`/v1/templates/${id}`, `/v1/templates/${id}/versions/1`])
      expect((await call("GET", path, { token })).status).toBe(404);
    expect((await call("DELETE", `/v1/templates/${id}`, { token })).status).toBe(404);
    await createTemplate(w.ctx, { name: "Again", kind: "membership", slug: "draft" });
    const { data } = await listAudit(w.ctx, {});
    expect(data.find((entry) => entry.action === "template.deleted")).toMatchObject({
      target: { type: "template", id },
    });
  });

  it("refuses to delete a template that was published, even once archived, and says what to do instead", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await publishedTemplate(w.ctx);
    const used = await publishedTemplate(w.ctx);
    await issued(w.ctx, used.id);
    await archiveTemplateVersion(w.ctx, { id, version: 1 });
    for (const each of [id, used.id]) {
      const answer = await call("DELETE", `/v1/templates/${each}`, { token });
      expect([answer.status, answer.json()["code"]]).toEqual([409, "template_in_use"]);
      expect(answer.json()["detail"]).toContain("Archive its current version");
      expect((await call("GET", `/v1/templates/${each}`, { token })).status).toBe(200);
    }
  });

  it("is refused if the template changed since it was read", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await createTemplate(w.ctx, { name: "Draft", kind: "membership" });
    const tag = (await call("GET", `/v1/templates/${id}`, { token })).headers.get("etag")!;
    await call("PATCH", `/v1/templates/${id}`, { token, body: { name: "Kept" } });
    expect((await call("DELETE", `/v1/templates/${id}`, { token, headers: { "if-match": tag } })).status).toBe(412);
  });

  it("is refused if a draft was made since the template was read", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await createTemplate(w.ctx, { name: "Draft", kind: "membership" });
    const tag = (await call("GET", `/v1/templates/${id}`, { token })).headers.get("etag")!;
    await createTemplateVersion(w.ctx, { id });
    const remove = (etag: string) => call("DELETE", `/v1/templates/${id}`, { token, headers: { "if-match": etag } });
    expect((await remove(tag)).status).toBe(412);
    const seen = await call("GET", `/v1/templates/${id}`, { token });
    expect(seen.json()["latestVersion"]).toBe(2);
    expect((await remove(seen.headers.get("etag")!)).status).toBe(204);
  });

  it("and a publication at the same moment never both succeed", async () => {
    const w = await world();
    const token = await w.key();
    const { id } = await createTemplate(w.ctx, { name: "Draft", kind: "membership" });
    const [deleted, published] = await Promise.allSettled([
      call("DELETE", `/v1/templates/${id}`, { token }),
      publishTemplateVersion(w.ctx, { id, version: 1 }),
    ]);
    const status = deleted.status === "fulfilled" ? deleted.value.status : 0;
    expect([status, published.status]).toEqual(status === 204 ? [204, "rejected"] : [409, "fulfilled"]);
  });
});
