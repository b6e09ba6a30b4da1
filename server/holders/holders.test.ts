import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicCookieName } from "@/server/access/public-cookie";
import { someAddress } from "@/server/claims/testing/claims";
import { env } from "@/server/core/env";
import { readId } from "@/server/core/ids";
import { issueCredential } from "@/server/credentials/issue";
import { listCredentials } from "@/server/credentials/list";
import { reissueCredential } from "@/server/credentials/reissue";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { proofLetterFor } from "@/server/notifications/proof-mail";
import { getSubject } from "@/server/subjects/get";
import { updateSubject } from "@/server/subjects/update";
import { upsertSubject } from "@/server/subjects/upsert";
import { degree } from "@/server/testing/academic";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world } from "@/server/testing/world";
import { approveName } from "./approve-name";
import { enterHome } from "./enter";
import { leaveHome } from "./leave";
import { listNameRequests } from "./list-name-requests";
import { loadHome } from "./load-home";
import { rejectName } from "./reject-name";
import { removeAddress } from "./remove-address";
import { requestAddress, requestEntry } from "./request-entry";
import { requestName } from "./request-name";
import { homeSession, homeLinkToken, nameRequest } from "./testing/holders";

beforeAll(() => {
  process.env["SMTP_URL"] = "smtp://127.0.0.1:9";
  process.env["MAIL_FROM"] = "Bonafide <bonafide@example.edu>";
});
afterAll(() => {
  delete process.env["SMTP_URL"];
  delete process.env["MAIL_FROM"];
});

const form = (path: string, fields: Record<string, string>, cookie = "", language = "en") =>
  call("POST", path, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      cookie,
      origin: new URL(env().PUBLIC_URL).origin,
      "content-type": "application/x-www-form-urlencoded",
      "accept-language": language,
    },
  });
const home = (session: string) => loadHome(session, new Date());

/** A person who holds a membership. */
async function member(email: string, name = "Ada") {
  const { ctx, orgId } = await world();
  const { id: templateId } = await publishedTemplate(ctx, { name: `Card of ${name}` });
  const { credential } = await issueCredential(ctx, {
    subject: { externalId: "s-1", displayName: name, email: email.toUpperCase() },
    templateId,
  });
  return { ctx, orgId, subjectId: credential.subjectId, credentialId: credential.id, code: credential.code };
}

describe("the holder's home", () => {
  it("shows how many credentials are older than those on the page", async () => {
    const email = someAddress();
    const { ctx } = await world();
    const { id: templateId } = await publishedTemplate(ctx, { repeatable: true });
    const subject = { externalId: "s-1", displayName: "Ada", email };
    for (let n = 0; n < 203; n++) await issueCredential(ctx, { subject, templateId });
    const session = await homeSession(email);
    const [person] = (await home(session))!.people;
    expect(person).toMatchObject({ older: 3 });
    expect(person!.credentials).toHaveLength(200);
    const page = await call("GET", "/home", { headers: { cookie: `${publicCookieName("home")}=${session}` } });
    expect(page.text).toContain("These are the newest 200. Ask Test Organisation for the other 3.");
  });

  it("calls a credential replaced, not revoked, if a newer one took its place", async () => {
    const email = someAddress();
    const { ctx, credentialId, code } = await member(email);
    const newer = await reissueCredential(ctx, { id: credentialId, reason: "A new name" });
    const session = await homeSession(email);
    const { text } = await call("GET", "/home", { headers: { cookie: `${publicCookieName("home")}=${session}` } });
    const looked = (code: string) => new RegExp(`href="/c/${code}".*?</a>`, "s").exec(text)![0];
    expect(looked(code)).toContain("Replaced");
    expect(looked(code)).not.toContain("Revoked");
    expect(looked(newer.code)).toContain("Valid");
  });

  it("tells credentials of one title apart by a field of the card, the day on which they begin, or the code", async () => {
    const email = someAddress();
    const { ctx } = await world();
    const course = { key: "course", label: { en: "Course", de: "Kurs" }, binding: "credential.data.course" };
    const room = { key: "room", label: "Room", binding: "credential.data.room" };
    const { id: templateId } = await publishedTemplate(ctx, {
      name: "Attendance",
      repeatable: true,
      design: { front: { fields: [course, room] }, publicFields: ["course"] },
    });
    const other = await publishedTemplate(ctx, { name: "Library card" });
    const subject = { externalId: "s-1", displayName: "Ada", email };
    const attend = async (data: Record<string, string>, validFrom = "2026-03-02T09:00:00Z") =>
      (await issueCredential(ctx, { subject, templateId, validFrom, data })).credential.code;
    const card = (await issueCredential(ctx, { subject, templateId: other.id })).credential.code;
    const fire = await attend({ course: "Fire safety", room: "Room 17" });
    const first = await attend({ course: "First aid", room: "Room 18" });
    const [one, two] = [await attend({}, "2026-05-04T09:00:00Z"), await attend({}, "2026-05-04T09:00:00Z")];
    const cookie = `${publicCookieName("home")}=${await homeSession(email)}`;
    const { text } = await call("GET", "/home", { headers: { cookie } });
    const lines = (code: string) =>
      [
        ...new RegExp(`href="/c/${code}".*?</a>`, "s")
          .exec(text)![0]
          .matchAll(/<span class="block[^>]*>(.*?)<\/span>/gs),
      ].map(([, line]) => line!.replaceAll(/<!-- -->/g, ""));
    expect([card, fire, first, one, two].map(lines)).toEqual([
      ["Library card", "Valid"],
      ["Attendance", "Course: Fire safety · From 2 March 2026", "Valid"],
      ["Attendance", "Course: First aid · From 2 March 2026", "Valid"],
      ["Attendance", `From 4 May 2026 · ${one}`, "Valid"],
      ["Attendance", `From 4 May 2026 · ${two}`, "Valid"],
    ]);
    expect(text).not.toContain("Room 17");
    const german = await call("GET", "/home", { headers: { cookie, "accept-language": "de" } });
    expect(german.text).toContain("Kurs: Fire safety · Ab 2. März 2026");
  });

  it("shows the credentials of a proven address from all organisations", async () => {
    const email = someAddress();
    const [one, other] = [await member(email, "Ada"), await member(email, "A. Lovelace")];
    const stranger = await member(someAddress(), "Grace");
    expect((await form("/home", { step: "ask", email })).headers.get("location")).toBe("/home?done=sent");
    const token = await homeLinkToken(email);
    const opened = await call("GET", `/home/enter?token=${token}`);
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining("Continue")]);
    const entered = await form("/home/enter", { token });
    expect([entered.status, entered.headers.get("set-cookie")]).toEqual([
      303,
      expect.stringMatching(/HttpOnly; SameSite=Lax; Max-Age=3600/),
    ]);
    const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
    const { text } = await call("GET", "/home", { headers: { cookie } });
    for (const { code } of [one, other]) expect(text).toContain(`/c/${code}`);
    expect(text).not.toContain(stranger.code);
    expect((await form("/home/enter", { token })).status).toBe(410);
    const again = await call("GET", `/home/enter?token=${token}`, { headers: { cookie } });
    expect([again.status, again.headers.get("location")]).toEqual([303, "/home"]);
    expect((await call("GET", `/home/enter?token=${token}`)).status).toBe(410);
    await form("/home", { step: "leave" }, cookie);
    expect((await call("GET", "/home", { headers: { cookie } })).text).toContain("Send me a link");
  });

  it("answers the same for known and unknown addresses, but sends mail only to known ones", async () => {
    const [known, unknown] = [someAddress(), someAddress()];
    await member(known);
    const answers = [];
    for (const email of [known, unknown]) {
      const { status, headers, text } = await form("/home", { step: "ask", email });
      answers.push([status, headers.get("location"), text]);
    }
    expect(answers[0]).toEqual(answers[1]);
    const letter = async (email: string) => {
      const [mail] = await sql<{ id: never; kind: "home_link"; link: Uint8Array; locale: string }>(
        `SELECT id, kind, link, locale FROM account_mails WHERE email = $1 ORDER BY id DESC LIMIT 1`,
        [email],
      );
      return proofLetterFor(mail!, new Date());
    };
    expect(await letter(known)).toMatchObject({ subject: "Your credentials on Bonafide" });
    expect(await letter(unknown)).toBeNull();
    await form("/home", { step: "ask", email: known }, "", "de");
    const german = await letter(known);
    expect(german).toMatchObject({ subject: "Ihre Nachweise bei Bonafide" });
    expect(german!.html).toContain('<html lang="de">');
    expect(german!.text).toContain("Er gilt einmal, und eine Stunde lang, seit er angefordert wurde.");
  });

  it("needs a new link an hour after sign-in, and after signing out", async () => {
    const email = someAddress();
    await member(email);
    const session = await homeSession(email);
    expect(await loadHome(session, new Date(Date.now() + 59 * 60_000))).not.toBeNull();
    expect(await loadHome(session, new Date(Date.now() + 61 * 60_000))).toBeNull();
    await leaveHome(visitor(), { session });
    expect(await home(session)).toBeNull();
  });

  it("opens with a link that works once, within an hour", async () => {
    const email = someAddress();
    await requestEntry(visitor(), { email });
    const token = await homeLinkToken(email);
    const after = (minutes: number) => visitor(new Date(Date.now() + minutes * 60_000));
    expect(await enterHome(after(60.1), { token })).toBeNull();
    expect(await enterHome(after(59.9), { token })).not.toBeNull();
    expect(await enterHome(visitor(), { token })).toBeNull();
  });

  it("rejects a form that arrives after the hour, and says so", async () => {
    const email = someAddress();
    const { subjectId } = await member(email);
    const cookie = `${publicCookieName("home")}=${await homeSession(email)}`;
    await sql(`UPDATE holder_sessions SET expires_at = now() - interval '1 second' WHERE email = $1`, [email]);
    const forms: Record<string, string>[] = [
      { step: "name", subjectId, name: "Ada King" },
      { step: "address", email: someAddress() },
    ];
    for (const fields of forms)
      for (const sent of [cookie, ""]) {
        const answer = await form("/home", fields, sent);
        expect([answer.status, answer.headers.get("location")]).toEqual([303, "/home?done=over"]);
      }
    expect((await call("GET", "/home?done=over")).text).toContain("You were signed out after an hour");
    expect(await sql(`SELECT 1 FROM name_requests WHERE subject_id = $1`, [readId("sub", subjectId)])).toEqual([]);
  });

  it("sends at most five links an hour to one address", async () => {
    const email = someAddress();
    for (let i = 0; i < 8; i++) await requestEntry(visitor(), { email });
    const [{ n }] = (await sql<{ n: number }>(`SELECT count(*)::int AS n FROM account_mails WHERE email = $1`, [
      email,
    ])) as [{ n: number }];
    expect(n).toBe(5);
  });
});

describe("a further address", () => {
  /** Adds a personal address to the home of `email`. */
  async function added(email: string) {
    const personal = someAddress();
    const session = await homeSession(email);
    await requestAddress(visitor(), { session, email: personal });
    await enterHome(visitor(), { token: await homeLinkToken(personal) });
    return { personal, session };
  }

  it("still opens the home when the address on record is gone, until the further address is removed", async () => {
    const email = someAddress();
    const { ctx, orgId, subjectId } = await member(email);
    const { personal } = await added(email);
    await updateSubject(ctx, { id: subjectId, email: null });
    expect((await home(await homeSession(email)))!.people).toEqual([]);
    const session = await homeSession(personal);
    expect((await home(session))!.people).toMatchObject([{ id: subjectId, addresses: [personal] }]);
    await removeAddress(visitor(), { session, email: personal });
    expect((await home(session))!.people).toEqual([]);
    expect(await auditOf(orgId)).toEqual(expect.arrayContaining(["holder.address_added", "holder.address_removed"]));
  });

  it("is not added if several people share the address on record, and the home says so", async () => {
    const email = someAddress();
    const { ctx } = await member(email);
    const cookie = `${publicCookieName("home")}=${await homeSession(email)}`;
    const shown = async () => (await call("GET", "/home", { headers: { cookie } })).text;
    expect(await shown()).toContain("Another e-mail address");
    await upsertSubject(ctx, { externalId: "s-2", email });
    expect(await shown()).toContain("Several people at Test Organisation share this address");
    expect(await shown()).not.toContain("Another e-mail address");
    const { personal } = await added(email);
    expect((await home(await homeSession(personal)))!.people).toEqual([]);
  });

  it("shows whose credentials it will give access to, and can be declined", async () => {
    const [email, victim] = [someAddress(), someAddress()];
    const { subjectId } = await member(email, "Mallory Attacker");
    const own = await member(victim, "Victoria Own");
    const session = await homeSession(email);
    await requestAddress(visitor(), { session, email: victim });
    const token = await homeLinkToken(victim);
    const { text } = await call("GET", `/home/enter?token=${token}`);
    for (const said of ["Mallory Attacker", victim, "Yes, add my address", "No, this is not me"])
      expect(text).toContain(said);
    expect(text).not.toContain(own.code);
    const declined = await form("/home/enter", { token, answer: "no" });
    expect([declined.status, declined.headers.get("set-cookie")]).toEqual([303, null]);
    expect((await call("GET", declined.headers.get("location")!)).text).toContain("Nothing was added");
    expect((await form("/home/enter", { token })).status).toBe(410);
    expect((await home(await homeSession(victim)))!.people.map(({ id }) => id)).toEqual([own.subjectId]);
    expect((await home(session))!.people).toMatchObject([{ id: subjectId, addresses: [] }]);
  });

  it("shows the person who confirms nothing of the person who asked for it", async () => {
    const [email, other] = [someAddress(), someAddress()];
    const asker = await member(email, "Mallory");
    const own = await member(other, "Victoria");
    const session = await homeSession(email);
    await requestAddress(visitor(), { session, email: other });
    await enterHome(visitor(), { token: await homeLinkToken(other) });
    expect((await home(session))!.people.map(({ id }) => id)).toEqual([asker.subjectId]);
    expect(JSON.stringify(await home(session))).not.toContain(own.code);
  });

  it("that the session already has is reported as such, and gets no mail", async () => {
    const email = someAddress();
    await member(email);
    const cookie = `${publicCookieName("home")}=${await homeSession(email)}`;
    const refused = await form("/home", { step: "address", email: email.toUpperCase() }, cookie);
    const shown = await call("GET", "/home", {
      headers: { cookie: `${cookie}; ${refused.headers.get("set-cookie")!.split(";")[0]}` },
    });
    expect(shown.text).toContain("You entered with this address.");
  });

  it("that nobody added cannot be removed, and its owner stays signed in", async () => {
    const [email, stranger] = [someAddress(), someAddress()];
    await member(email);
    const { subjectId } = await member(stranger, "Grace");
    const theirs = await homeSession(stranger);
    await removeAddress(visitor(), { session: await homeSession(email), email: stranger });
    expect((await home(theirs))!.people).toMatchObject([{ id: subjectId }]);
  });

  it("that is removed is signed out", async () => {
    const email = someAddress();
    await member(email);
    const { personal, session } = await added(email);
    const further = await homeSession(personal);
    await removeAddress(visitor(), { session, email: personal });
    expect(await home(further)).toBeNull();
  });

  it("is not added before the link in the mail to it is opened", async () => {
    const email = someAddress();
    await member(email);
    const victim = someAddress();
    await requestAddress(visitor(), { session: await homeSession(email), email: victim });
    expect((await home(await homeSession(victim)))!.people).toEqual([]);
  });
});

describe("a request for another name", () => {
  it("changes the record and reissues academic credentials when it is approved, without a public link between old and new", async () => {
    const email = someAddress();
    const { ctx, orgId } = await world();
    const { credential } = await degree(ctx);
    await updateSubject(ctx, { id: credential.subjectId, email });
    const session = await homeSession(email);
    const asked = { session, subjectId: credential.subjectId, name: "Ada King", note: "I married." };
    expect(await requestName(visitor(), { ...asked, name: "Ada Lovelace" })).toBe("unchanged");
    expect(await requestName(visitor(), asked)).toBe("asked");
    expect(await requestName(visitor(), asked)).toBe("waiting");
    const [request] = (await listNameRequests(ctx, { state: "waiting" })).data;
    expect(request).toMatchObject({ currentName: "Ada Lovelace", name: "Ada King", note: "I married." });
    await approveName(ctx, { id: request!.id });
    expect(await getSubject(ctx, { id: credential.subjectId })).toMatchObject({ displayName: "Ada King" });
    const [next, former] = (await listCredentials(ctx, { subjectId: credential.subjectId })).data;
    expect(next).toMatchObject({ state: "active", data: { subject: { displayName: "Ada King" } } });
    expect(former).toMatchObject({ id: credential.id, state: "revoked", linkedPublicly: false });
    expect((await call("GET", `/c/${former!.code}`)).text).not.toContain(next!.code);
    expect(await auditOf(orgId)).toEqual(expect.arrayContaining(["name_request.approved"]));
    await expect(approveName(ctx, { id: request!.id })).rejects.toMatchObject({ code: "already_decided" });
  });

  it("can be rejected with a reason, which the holder sees", async () => {
    const { ctx } = await world();
    const { id, session } = await nameRequest(ctx);
    await rejectName(ctx, { id, reason: "Send us a document" });
    expect((await home(session))!.people[0]!.nameRequest).toEqual({
      name: "Ada Lovelace",
      state: "rejected",
      reason: "Send us a document",
    });
  });

  it("is accepted only for the holder's own record", async () => {
    const [mine, other] = [someAddress(), await member(someAddress())];
    await member(mine);
    const session = await homeSession(mine);
    expect(await requestName(visitor(), { session, subjectId: other.subjectId, name: "Mallory", note: "" })).toBe(
      "unknown",
    );
    expect((await listNameRequests(other.ctx, {})).data).toEqual([]);
  });

  it("cannot be decided by another organisation", async () => {
    const { id } = await nameRequest((await world()).ctx);
    const other = await world();
    await expect(approveName(other.ctx, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(rejectName(other.ctx, { id, reason: "No" })).rejects.toMatchObject({ code: "not_found" });
  });
});

it("erasing a person removes their sessions, addresses and name requests", async () => {
  const { ctx, orgId } = await world();
  const { subjectId, email, session } = await nameRequest(ctx);
  const personal = someAddress();
  await requestAddress(visitor(), { session, email: personal });
  const { session: other } = (await enterHome(visitor(), { token: await homeLinkToken(personal) }))!;
  await eraseSubject(ctx, { id: subjectId, reason: "Request 7" });
  expect([await home(session), await home(other)]).toEqual([null, null]);
  const rows = await sql<{ all: string }>(
    `SELECT concat_ws(' ', name, note, reason) AS all FROM name_requests WHERE org_id = $1
     UNION ALL SELECT email FROM holder_addresses WHERE org_id = $1
     UNION ALL SELECT email FROM address_proofs WHERE email = ANY($2) UNION ALL SELECT email FROM account_mails WHERE email = ANY($2)`,
    [orgId, [email, personal]],
  );
  expect(rows.map(({ all }) => all.trim())).toEqual([""]);
  expect((await home(await homeSession(email)))!.people).toEqual([]);
});
