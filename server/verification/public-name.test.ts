import { beforeAll, describe, expect, it } from "vitest";
import { publishedTemplate } from "@/server/testing/credentials";
import { photoOf } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { loadPublicPage } from "./public-page";
import type { Verification } from "./view";

// A template that keeps the holder's name from the public (decision 284).

const design = {
  front: {
    fields: [
      { key: "portrait", binding: "subject.photo" },
      { key: "name", label: "Name", binding: "subject.displayName" },
      { key: "team", label: "Team", binding: "attributes.team" },
    ],
  },
  publicFields: ["portrait", "team"],
  publicName: false,
};

let w: World;
let token: string;
let people = 0;

beforeAll(async () => {
  w = await world();
  token = await w.key();
});

async function issue(kind: "employee_id" | "academic") {
  const template = await publishedTemplate(w.ctx, { kind, design });
  const subject = {
    externalId: `nameless-${++people}`,
    displayName: "Zenobia Quartz",
    attributes: { team: "Library" },
  };
  const answer = await call("POST", "/v1/credentials", { token, body: { subject, templateId: template.id } });
  expect(answer.status).toBe(201);
  const held = answer.json<{ id: string; code: string; subjectId: string }>();
  await photoOf(w.ctx, held.subjectId);
  return held;
}

async function answersOf(code: string): Promise<Verification[]> {
  return [
    (await call("GET", `/public/credentials/${code}`)).json<Verification>(),
    (await call("GET", `/public/verify?code=${code}`)).json<Verification>(),
    (await call("POST", "/v1/verify", { token, body: { code } })).json<Verification>(),
    (await loadPublicPage(code, { via: "page", viewer: "me", now: new Date(), isVisit: false })).verification,
  ];
}

describe("a template that keeps the name from the public", () => {
  it.each(["employee_id", "academic"] as const)("names nobody in any answer on its credentials: %s", async (kind) => {
    const { code } = await issue(kind);
    for (const answer of await answersOf(code)) {
      expect(answer.result).toBe("valid");
      expect(answer.credential.subject).toMatchObject({ displayName: "", hidden: true, withheld: false });
      expect(answer.credential.fields).toMatchObject([{ key: "team", value: "Library" }]);
      expect(answer.checks).toContainEqual({
        name: "holder",
        outcome: "skipped",
        detail: expect.stringContaining("does not make the holder’s name public"),
      });
      expect(JSON.stringify(answer)).not.toContain("Zenobia");
    }
  });

  it("still shows a public photo, and does not reveal that the name changed", async () => {
    const { id, code, subjectId } = await issue("employee_id");
    expect((await call("GET", `/public/credentials/${code}/photo/3x`)).status).toBe(200);
    await call("POST", `/v1/credentials/${id}/revoke`, { token, body: { reason: "Left" } });
    await call("PATCH", `/v1/subjects/${subjectId}`, { token, body: { displayName: "Zenobia Granite" } });
    const [answer] = await answersOf(code);
    expect(answer!.credential.subject).toMatchObject({ displayName: "", hidden: true, withheld: false });
    expect(JSON.stringify(answer)).not.toContain("Zenobia");
  });

  it("still shows the name to the organisation", async () => {
    const { subjectId } = await issue("employee_id");
    const subject = (await call("GET", `/v1/subjects/${subjectId}`, { token })).json<{ displayName: string }>();
    expect(subject.displayName).toBe("Zenobia Quartz");
  });

  it("cannot have a public field that shows it, and the refusal says why", async () => {
    const answer = await call("POST", "/v1/templates", {
      token,
      body: { name: "Pass", kind: "membership", design: { ...design, publicFields: ["team", "name"] } },
    });
    expect(answer.status).toBe(400);
    expect(answer.json<{ errors: object[] }>().errors).toMatchObject([
      { pointer: "/design/publicFields/1", message: expect.stringContaining("publicName: false") },
    ]);
  });
});
