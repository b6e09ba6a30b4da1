import { beforeAll, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { updateSubject } from "@/server/subjects/update";
import { publishedTemplate } from "@/server/testing/credentials";
import { photoOf } from "@/server/testing/photo";
import { call } from "@/server/testing/request";
import { world, type World } from "@/server/testing/world";
import { loadPublicPage } from "./public-page";
import type { Verification } from "./view";

const design = {
  front: {
    fields: [
      { key: "portrait", binding: "subject.photo" },
      { key: "name", label: "Name", binding: "subject.displayName" },
      { key: "number", label: "Number", binding: "subject.externalId" },
      { key: "mail", label: "Mail", binding: "subject.email" },
      { key: "status", label: "Status", binding: "subject.status" },
      { key: "team", label: "Team", binding: "attributes.team" },
      { key: "desk", label: "Desk", binding: "attributes.desk" },
      { key: "until", label: "Until", binding: "credential.expiresAt" },
    ],
  },
  publicFields: ["portrait", "name", "number", "mail", "status", "team", "desk", "until"],
};

let w: World;
let token: string;
let template: { id: string };
let degree: { id: string };
let people = 0;

interface Held {
  id: string;
  code: string;
  subjectId: string;
}

beforeAll(async () => {
  w = await world();
  token = await w.key();
  template = await publishedTemplate(w.ctx, { kind: "employee_id", design });
  degree = await publishedTemplate(w.ctx, { kind: "academic", design });
});

async function api<T = Held>(method: string, path: string, body?: object): Promise<T> {
  const answer = await call(method, path, { token, body });
  expect([path, answer.status < 300 ? "done" : answer.text]).toEqual([path, "done"]);
  return answer.json<object>() as T;
}

/** Issues a credential to a new subject with a photo. The field `desk` is entered at issue. */
async function issue(templateId = template.id, more: object = {}): Promise<Held> {
  const subject = {
    externalId: `after-end-${++people}`,
    displayName: "Anna Alt",
    email: "anna.alt@example.edu",
    attributes: { team: "Library" },
  };
  const held = await api("POST", "/v1/credentials", { subject, templateId, data: { desk: "Desk 7" }, ...more });
  await photoOf(w.ctx, held.subjectId, `#${people.toString(16).padStart(6, "0")}`);
  return held;
}

const change = ({ subjectId }: Held, fields: object) => api("PATCH", `/v1/subjects/${subjectId}`, fields);
const revoke = ({ id }: Held) => api("POST", `/v1/credentials/${id}/revoke`, { reason: "Left" });
const photo = ({ code }: Held) => call("GET", `/public/credentials/${code}/photo/3x`);

/** Asks every public surface, expects the same answer from each, and returns it. */
async function told({ code }: Held): Promise<Verification> {
  const answers = [
    (await call("GET", `/public/credentials/${code}`)).json<Verification>(),
    (await call("GET", `/public/verify?code=${code}`)).json<Verification>(),
    (await call("POST", "/public/verify", { body: { code } })).json<Verification>(),
    (await call("POST", "/v1/verify", { token, body: { code } })).json<Verification>(),
    (await loadPublicPage(code, { via: "page", viewer: "me", now: new Date(), isVisit: false })).verification,
  ].map((answer) => JSON.parse(JSON.stringify({ ...answer, checkedAt: "" })) as Verification);
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  return answers[0]!;
}

const valuesOf = ({ credential }: Verification) =>
  Object.fromEntries(credential.fields.flatMap(({ key, value }) => (value ? [[key, value]] : [])));

describe("an ID or membership that has ended", () => {
  it("keeps the name that its holder had at the end, without the photo and the fields of the holder's record", async () => {
    const held = await issue(template.id, { expiresAt: "2999-01-01T00:00:00Z" });
    const before = await told(held);
    expect(before.credential.subject).toEqual({
      displayName: "Anna Alt",
      photoUrl: expect.any(String),
      erased: false,
      withheld: false,
      hidden: false,
    });
    expect(valuesOf(before)).toMatchObject({ name: "Anna Alt", team: "Library", desk: "Desk 7", status: "active" });
    await revoke(held);
    const after = await told(held);
    expect(after.credential.subject).toEqual({
      displayName: "Anna Alt",
      erased: false,
      withheld: false,
      hidden: false,
    });
    expect(valuesOf(after)).toEqual({ name: "Anna Alt", desk: "Desk 7", until: "2998-12-31" });
    expect((await photo(held)).status).toBe(404);
  });

  it("withholds the name once it has changed, and a check says why", async () => {
    const held = await issue();
    await revoke(held);
    await change(held, {
      displayName: "Anna Neu",
      email: "anna.neu@example.edu",
      externalId: `new-${held.subjectId}`,
      attributes: { team: "Archive" },
    });
    await photoOf(w.ctx, held.subjectId, "#ff00ff");
    const after = await told(held);
    expect(after.credential.subject).toEqual({ displayName: "", erased: false, withheld: true, hidden: false });
    expect(after.checks).toContainEqual({
      name: "holder",
      outcome: "skipped",
      detail: expect.stringContaining("no name is shown"),
    });
    expect(JSON.stringify(after)).not.toMatch(/Anna|anna|Archive|new-|Library/);
    expect((await photo(held)).status).toBe(404);
  });

  it("keeps the name if it changed before the end, or if the same name is written again", async () => {
    const held = await issue();
    await change(held, { displayName: "Anna Neu" });
    await revoke(held);
    await change(held, { displayName: "Anna Neu", email: "anna.neu@example.edu" });
    expect((await told(held)).credential.subject).toMatchObject({ displayName: "Anna Neu", withheld: false });
  });

  it("ends at the instant of its expiry, even if it is revoked later", async () => {
    const issued = async (externalId: string) =>
      (
        await issueCredential(w.at("2020-01-01T00:00:00Z"), {
          subject: { externalId, displayName: "Anna Alt" },
          templateId: template.id,
          expiresAt: "2021-01-01T00:00:00Z",
        })
      ).credential;
    const rename = ({ subjectId }: Held, at: string) =>
      updateSubject(w.at(at), { id: subjectId, displayName: "Anna Neu" });
    const [before, after, revoked] = [await issued("before"), await issued("after"), await issued("revoked")];
    await rename(before, "2020-12-31T23:59:59.999Z");
    await rename(after, "2021-01-01T00:00:00Z");
    await rename(revoked, "2022-01-01T00:00:00Z");
    await revokeCredential(w.at("2023-01-01T00:00:00Z"), { id: revoked.id, reason: "Left" });
    const names = await Promise.all(
      [before, after, revoked].map(async (held) => (await told(held)).credential.subject.displayName),
    );
    expect(names).toEqual(["Anna Neu", "", ""]);
  });

  it("withholds a new name that was set by the request that replaced the credential", async () => {
    const held = await issue();
    const { externalId } = await api<{ externalId: string }>("GET", `/v1/subjects/${held.subjectId}`);
    const next = await api("POST", "/v1/credentials", {
      subject: { externalId, displayName: "Anna Neu" },
      templateId: template.id,
      ifExists: "replace",
    });
    expect((await told(held)).credential.subject).toMatchObject({ displayName: "", withheld: true });
    expect((await told(next)).credential.subject).toMatchObject({ displayName: "Anna Neu", withheld: false });
  });

  it("stops naming the newer credential, which shows the new name, once the name has changed", async () => {
    const held = await issue();
    const next = await api("POST", `/v1/credentials/${held.id}/reissue`, { linkPublicly: true });
    expect((await told(held)).credential.supersededBy).toBe(next.code);
    await change(held, { displayName: "Anna Neu" });
    const after = await told(held);
    expect(after).toMatchObject({ reason: "superseded", credential: { supersededBy: null } });
    expect(JSON.stringify(after)).not.toContain(next.code);
  });

  it("says that the holder was erased rather than that the name is withheld", async () => {
    const held = await issue();
    await revoke(held);
    await change(held, { displayName: "Anna Neu" });
    await eraseSubject(w.ctx, { id: held.subjectId, reason: "asked for" });
    const { checks, credential } = await told(held);
    expect(credential.subject).toEqual({ displayName: "", erased: true, withheld: false, hidden: false });
    expect(checks.find(({ name }) => name === "holder")?.detail).toContain("asked for erasure");
  });
});

it("a suspended credential has not ended, and reads the holder live", async () => {
  const held = await issue();
  await api("POST", `/v1/credentials/${held.id}/suspend`, { reason: "Overdue" });
  await change(held, { displayName: "Anna Neu", attributes: { team: "Archive" } });
  const answer = await told(held);
  expect(answer.credential.subject).toMatchObject({ displayName: "Anna Neu", photoUrl: expect.any(String) });
  expect(valuesOf(answer)).toMatchObject({ team: "Archive" });
  expect((await photo(held)).status).toBe(200);
});

it("an academic credential keeps the snapshot of its issue in any state", async () => {
  const held = await issue(degree.id);
  await revoke(held);
  await change(held, { displayName: "Anna Neu", attributes: { team: "Archive" } });
  const answer = await told(held);
  expect(answer.credential.subject).toEqual({ displayName: "Anna Alt", erased: false, withheld: false, hidden: false });
  expect(valuesOf(answer)).toMatchObject({ name: "Anna Alt", team: "Library", desk: "Desk 7" });
});
