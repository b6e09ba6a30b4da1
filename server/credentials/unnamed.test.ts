import { expect, it } from "vitest";
import { updateSubject } from "@/server/subjects/update";
import { publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { reissueCredential } from "./reissue";
import { revokeCredential } from "./revoke";
import type { CredentialView } from "./view";

const unnamed = [
  { code: "unnamed_holder", message: expect.stringContaining("the holder of this credential") as string },
];

it("a certificate for a person without a name is issued with a warning, in every answer about it, until it is reissued", async () => {
  const w = await world();
  const token = await w.key();
  const { id: templateId } = await publishedTemplate(w.ctx, { kind: "academic" });
  const issue = async (subject: object, template = templateId) => {
    const answer = await call("POST", "/v1/credentials", { token, body: { subject, templateId: template } });
    expect(answer.status).toBe(201);
    return answer.json<CredentialView>();
  };
  const made = await issue({ externalId: "nobody" });
  expect(made.warnings).toEqual(unnamed);
  const read = async (id: string) => (await call("GET", `/v1/credentials/${id}`, { token })).json<CredentialView>();
  expect((await read(made.id)).warnings).toEqual(unnamed);
  const bulk = await call("POST", "/v1/credentials/bulk", {
    token,
    body: {
      action: "issue",
      items: [
        { subject: { externalId: "nobody-2" }, templateId },
        { subject: { externalId: "ada", displayName: "Ada Lovelace" }, templateId },
      ],
    },
  });
  expect(bulk.json()).toMatchObject({
    succeeded: 2,
    data: [{ credential: { warnings: unnamed } }, { credential: { warnings: [] } }],
  });

  await updateSubject(w.ctx, { id: made.subjectId, displayName: "Grace Hopper" });
  expect((await read(made.id)).warnings).toEqual(unnamed);
  const next = await reissueCredential(w.ctx, { id: made.id });
  expect(next).toMatchObject({ data: { subject: { displayName: "Grace Hopper" } }, warnings: [] });
  expect((await read(made.id)).warnings).toEqual([]);
});

it("there is no warning for other cards, which read the name live, and for ended ones, which need no name", async () => {
  const w = await world();
  const token = await w.key();
  const subject = { externalId: "nobody" };
  const [card, degree] = await Promise.all([
    publishedTemplate(w.ctx, { name: "Card" }),
    publishedTemplate(w.ctx, { name: "Degree", kind: "academic" }),
  ]);
  const issue = async (templateId: string) =>
    (await call("POST", "/v1/credentials", { token, body: { subject, templateId } })).json<CredentialView>();
  expect((await issue(card.id)).warnings).toEqual([]);
  const { id } = await issue(degree.id);
  expect(await revokeCredential(w.ctx, { id, reason: "A mistake" })).toMatchObject({ warnings: [] });
});
