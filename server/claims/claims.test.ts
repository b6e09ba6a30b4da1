import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderer } from "@/app/c/renderer";
import { maxGuesses } from "@/server/access/address-proof";
import { boundTo } from "@/server/access/account-mail";
import { env } from "@/server/core/env";
import type { Id } from "@/server/core/ids";
import { languageOf } from "@/server/core/languages";
import { decrypt } from "@/server/core/secrets";
import { getCredential } from "@/server/credentials/get";
import { issueCredential } from "@/server/credentials/issue";
import { listCredentials } from "@/server/credentials/list";
import { suspendCredential } from "@/server/credentials/suspend";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { claimDecidedLetter, type DecidedFacts } from "@/server/notifications/claim-decided-letter";
import { proofLetterFor } from "@/server/notifications/proof-mail";
import { updateOrganisation } from "@/server/organisations/update";
import { getSubject } from "@/server/subjects/get";
import { listSubjects } from "@/server/subjects/list";
import { upsertSubject } from "@/server/subjects/upsert";
import { auditOf } from "@/server/testing/audit";
import { publishedTemplate } from "@/server/testing/credentials";
import { visitor } from "@/server/testing/person";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { brandOf } from "@/server/templates/brand";
import { world } from "@/server/testing/world";
import { approveClaims } from "./approve-claims";
import { deleteClaimLink } from "./delete-link";
import { enterClaimCode } from "./enter-code";
import { getClaimLink } from "./get-link";
import { listClaims } from "./list-claims";
import { rejectClaims } from "./reject-claims";
import { requestClaimCode } from "./request-code";
import { submitClaim } from "./submit-claim";
import { claimed, claimLink, codeFor, proved, someAddress, waitingClaim } from "./testing/claims";
import { updateClaimLink } from "./update-link";

beforeAll(() => {
  process.env["SMTP_URL"] = "smtp://127.0.0.1:9";
  process.env["MAIL_FROM"] = "Bonafide <bonafide@example.edu>";
});
afterAll(() => {
  delete process.env["SMTP_URL"];
  delete process.env["MAIL_FROM"];
});

const design = {
  front: {
    fields: [
      { key: "name", binding: "subject.displayName" },
      { key: "company", label: "Company", binding: "attributes.company" },
      { key: "seat", label: "Seat", binding: "credential.data.seat", format: "number" as const },
    ],
  },
  publicFields: ["name", "company"],
};

/** The mail that tells the owner of an address the decision on a claim. */
async function decisionFor(email: string) {
  const [mail] = await sql<{ id: Id<"aml">; link: Uint8Array; locale: string }>(
    `SELECT id, link, locale FROM account_mails WHERE email = $1 AND kind = 'claim_decided'`,
    [email],
  );
  const facts = JSON.parse(decrypt(mail!.link, boundTo(mail!.id))) as DecidedFacts;
  return claimDecidedLetter(facts, languageOf(mail!.locale));
}

/** A browser that visits the page of a claim link and keeps its cookie. */
function browser(code: string, language = "en") {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const path = `/claim/${code}`;
  const answered = (answer: Awaited<ReturnType<typeof call>>) => {
    for (const set of answer.headers.getSetCookie()) {
      const [name, value] = set.split(";")[0]!.split("=") as [string, string];
      if (set.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  return {
    path,
    cookie: cookies,
    look: async () =>
      answered(await call("GET", path, { headers: { cookie: cookies(), "accept-language": language } })).text,
    send: async (fields: Record<string, string>, origin = new URL(env().PUBLIC_URL).origin) =>
      answered(
        await call("POST", path, {
          raw: new URLSearchParams(fields).toString(),
          headers: {
            cookie: cookies(),
            origin,
            "accept-language": language,
            "content-type": "application/x-www-form-urlencoded",
          },
        }),
      ),
  };
}

describe("the page of a claim link", () => {
  it("issues a credential to a visitor who proves an address and fills in the fields of the design", async () => {
    const { ctx, orgId } = await world();
    const { id: templateId } = await publishedTemplate(ctx, { name: "Visitor pass", design });
    const link = await claimLink(ctx, { templateId });
    const [email, page] = [someAddress(), browser(link.code)];
    expect(await page.look()).toContain("Your e-mail address");
    expect((await page.send({ step: "address", email: ` ${email.toUpperCase()} ` })).status).toBe(303);
    expect(await page.look()).toContain("Enter the code");
    expect((await page.send({ step: "code", digits: "x" })).status).toBe(303);
    expect(await page.look()).toContain("That is not the code");
    expect((await page.send({ step: "code", digits: await codeFor(email) })).status).toBe(303);
    const form = await page.look();
    expect(form).toContain("Your name");
    expect(form).toContain("Company");
    const refused = await page.send({ step: "fields", name: "Ada", field0: "Acme", field1: "many" });
    expect([refused.status, refused.headers.get("location")]).toEqual([303, page.path]);
    const again = await page.look();
    expect(again).toContain("Enter a number");
    expect(again).toContain('value="Acme"');
    // Back and a reload request the page, which no longer shows the error.
    expect(await page.look()).not.toContain("Enter a number");
    expect((await page.send({ step: "fields", name: "Ada", field0: "Acme", field1: "12" })).status).toBe(303);
    const credentialId = (await listClaims(ctx, { claimLinkId: link.id })).data[0]!.credentialId!;
    const credential = await getCredential(ctx, { id: credentialId });
    expect(await page.look()).toContain(`/c/${credential.code}`);
    expect(credential).toMatchObject({
      data: { company: "Acme", seat: "12" },
      source: { type: "api", id: link.id },
    });
    expect(await getSubject(ctx, { id: credential.subjectId })).toMatchObject({
      displayName: "Ada",
      email,
      externalId: `claim:${email}`,
      attributes: {},
    });
    expect((await call("GET", `/c/${credential.code}`)).text).toContain("Acme");
    expect(await auditOf(orgId)).toEqual(expect.arrayContaining(["claim.issued"]));
  });

  it("labels fields, shows what is on record and reads numbers in the language of the browser, and times in the organisation's zone", async () => {
    const { ctx, orgId } = await world();
    await sql(`UPDATE organisations SET time_zone = 'Europe/Berlin' WHERE id = $1`, [orgId]);
    const { id: templateId } = await publishedTemplate(ctx, {
      design: {
        front: {
          fields: [
            { key: "size", label: { en: "Size", de: "Größe" }, binding: "credential.data.size", format: "number" },
            { key: "since", label: { en: "Since", de: "Seit" }, binding: "attributes.since", format: "date" },
            { key: "paid", label: { en: "Paid", de: "Bezahlt" }, binding: "attributes.paid" },
            { key: "at", label: { en: "Arrival", de: "Ankunft" }, binding: "credential.data.at", format: "datetime" },
          ],
        },
        publicFields: ["size"],
      },
    });
    const link = await claimLink(ctx, { templateId });
    const email = someAddress();
    const attributes = { since: "2026-02-28", paid: true };
    await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada", email, attributes });
    const page = browser(link.code, "de-AT, en;q=0.5");
    await page.send({ step: "address", email });
    await page.send({ step: "code", digits: await codeFor(email) });
    const form = await page.look();
    for (const text of ["Größe", "Seit", "28. Februar 2026", "Bezahlt", "Ja"]) expect(form).toContain(text);
    // In English, both would be other numbers. The first minute of the year 1 in Berlin is in the year 0 in UTC, which
    // no instant can have.
    for (const [field0, field3] of [
      ["1.234", "tomorrow"],
      ["12,5,1", "0001-01-01T00:00"],
    ] as const) {
      await page.send({ step: "fields", field0, field3 });
      const refused = await page.look();
      expect(refused).toContain("Geben Sie eine Zahl ein, zum Beispiel 12,5");
      expect(refused).toContain("Geben Sie Tag und Uhrzeit ein");
      expect(refused).toContain("In der Zeitzone Europe/Berlin.");
    }
    await page.send({ step: "fields", field0: "42,5", field3: "2029-07-19T09:30" });
    const credentialId = (await listClaims(ctx, { claimLinkId: link.id })).data[0]!.credentialId!;
    const { code, data } = await getCredential(ctx, { id: credentialId });
    expect(data).toEqual({ size: "42.5", at: "2029-07-19T07:30:00.000Z" });
    const shown = await call("GET", `/c/${code}`, { headers: { "accept-language": "de" } });
    expect(shown.text).toContain("42,5");
  });

  it("refuses forms from other sites and sets a cookie that scripts cannot read", async () => {
    const { ctx } = await world();
    const page = browser((await claimLink(ctx)).code);
    expect((await page.send({ step: "address", email: someAddress() }, "https://evil.example")).status).toBe(403);
    const { headers } = await page.send({ step: "address", email: someAddress() });
    expect(headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Lax/);
  });

  it("shows different messages for an unknown link, an ended link and a used up link", async () => {
    const { ctx, at } = await world();
    expect((await call("GET", "/claim/0000-0000-0000-0000")).status).toBe(404);
    const ended = await claimLink(ctx, { expiresAt: "2020-01-01T00:00:00Z" });
    expect((await call("GET", `/claim/${ended.code}`)).text).toContain("This offer has ended");
    const full = await claimLink(at(new Date()), { maxClaims: 1 });
    await claimed(full.code, { name: "Ada" });
    expect((await call("GET", `/claim/${full.code}`)).text).toContain("All places are taken");
    const deleted = await claimLink(ctx);
    await deleteClaimLink(ctx, { id: deleted.id });
    expect((await call("GET", `/claim/${deleted.code}`)).text).toContain("This offer has ended");
  });

  it("sends at most five codes an hour to one address", async () => {
    const { ctx } = await world();
    const { code } = await claimLink(ctx);
    const email = someAddress();
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push((await browser(code).send({ step: "address", email })).status);
    expect(answers).toEqual([303, 303, 303, 303, 303, 429]);
  });
});

describe("a code", () => {
  it("is void after five wrong tries, even if they are concurrent", async () => {
    const { ctx } = await world();
    const { code } = await claimLink(ctx);
    const [email, page] = [someAddress(), browser(code)];
    await page.send({ step: "address", email });
    const token = page.cookie().split("=")[1]!;
    const right = await codeFor(email);
    const wrong = right === "000000" ? "111111" : "000000";
    const guesses = await Promise.all(
      Array.from({ length: maxGuesses + 3 }, () => enterClaimCode(visitor(), { token, digits: wrong })),
    );
    expect(guesses.filter((each) => each === "wrong")).toHaveLength(maxGuesses - 1);
    expect(await enterClaimCode(visitor(), { token, digits: right })).toBe("over");
  });

  it("works for 15 minutes", async () => {
    const { ctx } = await world();
    const { code } = await claimLink(ctx);
    const [email, page] = [someAddress(), browser(code)];
    await page.send({ step: "address", email });
    const token = page.cookie().split("=")[1]!;
    const digits = await codeFor(email);
    const after = (minutes: number) => visitor(new Date(Date.now() + minutes * 60_000));
    expect(await enterClaimCode(after(15.1), { token, digits })).toBe("over");
    expect(await enterClaimCode(after(14.9), { token, digits })).toBe("right");
  });

  it("works only for the link for which it was requested", async () => {
    const { ctx } = await world();
    const [one, other] = [await claimLink(ctx), await claimLink((await world()).ctx)];
    const token = await proved(one.code, someAddress());
    expect(await submitClaim(visitor(), { code: other.code, token, entered: { name: "Ada" } })).toEqual({
      outcome: "start_again",
    });
  });
});

describe("claims", () => {
  it("for the last place: one of fifty concurrent claims succeeds", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { maxClaims: 1 });
    const tokens = await Promise.all(Array.from({ length: 50 }, () => proved(link.code, someAddress())));
    const outcomes = await Promise.all(
      tokens.map((token) => submitClaim(visitor(), { code: link.code, token, entered: { name: "Ada" } })),
    );
    expect(outcomes.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
    expect(await getClaimLink(ctx, { id: link.id })).toMatchObject({
      placesTaken: 1,
      issuedCount: 1,
      state: "used_up",
    });
    expect((await listCredentials(ctx, { templateId: link.templateId })).data).toHaveLength(1);
  });

  it("of one address count once, even if they are concurrent", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { maxClaims: 5 });
    const email = someAddress();
    const tokens = [await proved(link.code, email), await proved(link.code, email)];
    await Promise.all(
      [...tokens, ...tokens].map((token) =>
        submitClaim(visitor(), { code: link.code, token, entered: { name: "Ada" } }),
      ),
    );
    expect(await getClaimLink(ctx, { id: link.id })).toMatchObject({ placesTaken: 1, issuedCount: 1 });
  });

  it("of one new address through two links at once add one person", async () => {
    const { ctx } = await world();
    const links = [await claimLink(ctx), await claimLink(ctx)];
    const email = someAddress();
    await Promise.all(links.map(({ code }) => claimed(code, { name: "Ada" }, email)));
    expect((await listSubjects(ctx, {})).data).toHaveLength(1);
  });

  it("go to the person on record with the address, and leave the record as it is", async () => {
    const { ctx } = await world();
    const email = someAddress();
    const before = (
      await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada", email, attributes: { company: "Old" } })
    ).subject;
    const { id: templateId } = await publishedTemplate(ctx, { design });
    const link = await claimLink(ctx, { templateId });
    await claimed(link.code, { name: "Mallory", field0: "New", field1: "1" }, email);
    const [credential] = (await listCredentials(ctx, { templateId })).data;
    expect(credential).toMatchObject({ subjectId: before.id, data: { seat: "1" } });
    expect(await getSubject(ctx, { id: before.id })).toMatchObject({
      displayName: "Ada",
      attributes: { company: "Old" },
      updatedAt: before.updatedAt,
    });
  });

  it("cannot override the record, and ask only for what it lacks", async () => {
    const { ctx } = await world();
    const email = someAddress();
    await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada", email, attributes: { company: "Law" } });
    const { id: templateId } = await publishedTemplate(ctx, { design });
    const link = await claimLink(ctx, { templateId });
    const page = browser(link.code);
    await page.send({ step: "address", email });
    await page.send({ step: "code", digits: await codeFor(email) });
    const form = await page.look();
    expect(form).toContain("Law");
    expect(form).not.toContain('name="field0"');
    expect(form).toContain('name="field1"');
    expect((await page.send({ step: "fields", field0: "Medicine", field1: "7" })).status).toBe(303);
    const [credential] = (await listCredentials(ctx, { templateId })).data;
    expect(credential!.data).toMatchObject({ seat: "7" });
    expect(credential!.data).not.toHaveProperty("company");
    const { text } = await call("GET", `/c/${credential!.code}`);
    expect(text).toContain("Law");
    expect(text).not.toContain("Medicine");
  });

  it("that waited cannot override the record at the time of approval", async () => {
    const { ctx } = await world();
    const { id: templateId } = await publishedTemplate(ctx, { design });
    const link = await claimLink(ctx, { templateId, approval: true });
    const { email } = await claimed(link.code, { name: "Ada", field0: "Medicine", field1: "7" });
    await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada", email, attributes: { company: "Law" } });
    const [claim] = (await listClaims(ctx, { claimLinkId: link.id })).data;
    await approveClaims(ctx, { ids: [claim!.id] });
    const [credential] = (await listCredentials(ctx, { templateId })).data;
    expect(credential!.data).not.toHaveProperty("company");
    expect((await call("GET", `/c/${credential!.code}`)).text).not.toContain("Medicine");
  });

  it("cannot override an attribute by using its name in the data, nor the expiry on record", async () => {
    const { ctx } = await world();
    const email = someAddress();
    await upsertSubject(ctx, {
      externalId: "s-1",
      displayName: "Ada",
      email,
      attributes: { company: "Law", until: "2031-01-31" },
    });
    const { id: templateId } = await publishedTemplate(ctx, {
      design,
      validity: { type: "attribute", attribute: "until" },
    });
    const fields = [{ binding: "credential.data.company" }, { binding: "credential.data.until" }];
    const link = await claimLink(ctx, { templateId, fields });
    await claimed(link.code, { field0: "Medicine", field1: "2099-01-01" }, email);
    const [credential] = (await listCredentials(ctx, { templateId })).data;
    expect(credential!.expiresAt).toMatch(/^2031/);
    expect((await call("GET", `/c/${credential!.code}`)).text).not.toContain("Medicine");
  });

  it("of a person who already holds the credential take no place, and show its state", async () => {
    const { ctx } = await world();
    const email = someAddress();
    const { id: templateId } = await publishedTemplate(ctx, { name: "Visitor pass", design });
    const { credential } = await issueCredential(ctx, {
      subject: { externalId: "s-1", displayName: "Ada", email },
      templateId,
    });
    const link = await claimLink(ctx, { templateId, maxClaims: 1 });
    const page = browser(link.code);
    await page.send({ step: "address", email });
    await page.send({ step: "code", digits: await codeFor(email) });
    const shown = await page.look();
    expect(shown).toContain("You hold it already");
    expect(shown).toContain(`/c/${credential.code}`);
    expect(shown).not.toContain('name="field0"');
    await suspendCredential(ctx, { id: credential.id, reason: "Fees" });
    expect(await page.look()).toContain("It is suspended");
    expect((await page.send({ step: "fields", field0: "Acme", field1: "1" })).status).toBe(303);
    expect(await getClaimLink(ctx, { id: link.id })).toMatchObject({ placesTaken: 0, issuedCount: 0 });
    expect((await listClaims(ctx, {})).data).toEqual([]);
  });

  it("that wait show the name on record of a known person", async () => {
    const { ctx } = await world();
    const email = someAddress();
    await upsertSubject(ctx, { externalId: "s-1", displayName: "Ada on record", email });
    const link = await claimLink(ctx, { approval: true });
    await claimed(link.code, {}, email);
    expect((await listClaims(ctx, {})).data).toMatchObject([{ displayName: "Ada on record", state: "waiting" }]);
  });

  it("of a person who has received the credential meanwhile are not approved", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { approval: true });
    const { email } = await claimed(link.code, { name: "Ada" });
    await issueCredential(ctx, {
      subject: { externalId: "s-1", displayName: "Ada", email },
      templateId: link.templateId,
    });
    const [claim] = (await listClaims(ctx, { claimLinkId: link.id })).data;
    const answer = await approveClaims(ctx, { ids: [claim!.id] });
    expect(answer).toMatchObject({ succeeded: 0, data: [{ error: { code: "credential_exists" } }] });
    expect(answer.data[0]!.error!.message).toMatch(/^Ada holds .* already\. Reject the claim\.$/);
  });

  it("that need a date on record explain this to the claimant and to the person who approves", async () => {
    const { ctx } = await world();
    const { id: templateId } = await publishedTemplate(ctx, { validity: { type: "attribute", attribute: "until" } });
    const page = browser((await claimLink(ctx, { templateId })).code);
    const email = someAddress();
    await page.send({ step: "address", email });
    await page.send({ step: "code", digits: await codeFor(email) });
    expect((await page.send({ step: "fields", name: "Ada" })).status).toBe(303);
    expect(await page.look()).toContain("has no last day on record for you");
    const approved = await claimLink(ctx, { templateId, approval: true });
    await claimed(approved.code, { name: "Ada" });
    const [claim] = (await listClaims(ctx, { claimLinkId: approved.id })).data;
    const { message } = (await approveClaims(ctx, { ids: [claim!.id] })).data[0]!.error!;
    expect(message).toContain("Add Ada under People");
    expect(message).not.toContain("expiresAt");
  });

  it("of an address that several people share add a new person", async () => {
    const { ctx } = await world();
    const email = someAddress();
    for (const externalId of ["s-1", "s-2"]) await upsertSubject(ctx, { externalId, displayName: externalId, email });
    const link = await claimLink(ctx);
    await claimed(link.code, { name: "Third" }, email);
    const [credential] = (await listCredentials(ctx, { templateId: link.templateId })).data;
    expect(await getSubject(ctx, { id: credential!.subjectId })).toMatchObject({ displayName: "Third" });
  });

  it("that cannot be issued do not use up a place", async () => {
    const { ctx } = await world();
    const email = someAddress();
    await upsertSubject(ctx, { externalId: "s-1", email, status: "inactive" });
    const link = await claimLink(ctx, { maxClaims: 1 });
    await expect(claimed(link.code, { name: "Ada" }, email)).rejects.toMatchObject({ code: "subject_inactive" });
    expect(await getClaimLink(ctx, { id: link.id })).toMatchObject({ placesTaken: 0, state: "open" });
  });
});

describe("waiting claims", () => {
  it("are issued once when they are approved", async () => {
    const { ctx } = await world();
    const { id, linkId } = await waitingClaim(ctx);
    expect((await listSubjects(ctx, {})).data).toEqual([]);
    const both = await Promise.all([approveClaims(ctx, { ids: [id] }), approveClaims(ctx, { ids: [id] })]);
    expect(both.map(({ succeeded }) => succeeded).sort()).toEqual([0, 1]);
    expect(both.find(({ failed }) => failed)!.data[0]!.error!.code).toBe("already_decided");
    expect(await getClaimLink(ctx, { id: linkId })).toMatchObject({ issuedCount: 1, waitingCount: 0, placesTaken: 1 });
    expect((await listClaims(ctx, { state: "issued" })).data[0]).toMatchObject({ id, displayName: "Ada Lovelace" });
  });

  it("can be approved in bulk; a claim that cannot be issued does not stop the others", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { approval: true });
    for (const name of ["Ada", "Grace", "Edsger"]) await claimed(link.code, { name });
    const { data } = await listClaims(ctx, { claimLinkId: link.id, state: "waiting" });
    await upsertSubject(ctx, { externalId: "s-1", email: data[1]!.email, status: "inactive" });
    const answer = await approveClaims(ctx, { ids: data.map(({ id }) => id) });
    expect(answer.data.map(({ ok, error }) => [ok, error?.code])).toEqual([
      [true, undefined],
      [false, "subject_inactive"],
      [true, undefined],
    ]);
  });

  it("are followed by a mail with the outcome and a link", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { approval: true });
    const one = await claimed(link.code, { name: "Ada" });
    const other = await claimed(link.code, { name: "Grace" });
    const ids = (await listClaims(ctx, { claimLinkId: link.id })).data.map(({ id }) => id);
    await approveClaims(ctx, { ids: [ids[0]!] });
    await rejectClaims(ctx, { ids: [ids[1]!], reason: "The course is for members" });
    const { code } = (await listCredentials(ctx, { templateId: link.templateId })).data[0]!;
    const approved = await decisionFor(one.email);
    expect(approved.text).toContain(`/c/${code}`);
    expect(approved.text).toContain("/home");
    const rejected = await decisionFor(other.email);
    expect(rejected.text).toContain("The course is for members");
    expect(rejected.text).toContain(`/claim/${link.code}`);
    await updateOrganisation(ctx, { locale: "de-DE" });
    const german = await claimed(link.code, { name: "Emmy" });
    const [waiting] = (await listClaims(ctx, { claimLinkId: link.id, state: "waiting" })).data;
    await rejectClaims(ctx, { ids: [waiting!.id], reason: "Der Kurs ist für Mitglieder" });
    const emmy = await decisionFor(german.email);
    expect(emmy.subject).toBe("Ihre Anfrage wurde nicht genehmigt");
    expect(emmy.text).toContain("Der angegebene Grund: Der Kurs ist für Mitglieder");
  });

  it("are decided with a mail in the language of the page on which they were claimed", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { approval: true });
    const claimedOn = async (language: string) => {
      const [email, { send }] = [someAddress(), browser(link.code, language)];
      await send({ step: "address", email });
      await send({ step: "code", digits: await codeFor(email) });
      await send({ step: "fields", name: "Emmy" });
      return email;
    };
    const [german, english] = [await claimedOn("de-AT"), await claimedOn("en")];
    await updateOrganisation(ctx, { locale: "de-DE" });
    const claims = (await listClaims(ctx, { claimLinkId: link.id })).data;
    const idOf = (email: string) => claims.find((claim) => claim.email === email)!.id;
    await approveClaims(ctx, { ids: [idOf(english)] });
    await updateOrganisation(ctx, { locale: "en-GB" });
    await rejectClaims(ctx, { ids: [idOf(german)], reason: "Der Kurs ist für Mitglieder" });
    expect((await decisionFor(german)).subject).toBe("Ihre Anfrage wurde nicht genehmigt");
    expect((await decisionFor(english)).subject).toBe("Your credential is ready");
  });

  it("free their place when they are rejected, and their address cannot claim again", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { approval: true, maxClaims: 1 });
    const { email, token } = await claimed(link.code, { name: "Ada" });
    const { id } = (await listClaims(ctx, {})).data[0]!;
    await rejectClaims(ctx, { ids: [id], reason: "The course is for members" });
    expect(await getClaimLink(ctx, { id: link.id })).toMatchObject({ placesTaken: 0, state: "open" });
    const page = await call("GET", `/claim/${link.code}`, { headers: { cookie: `bonafide.claim=${token}` } });
    expect(page.text).toContain("The course is for members");
    await claimed(link.code, { name: "Ada" }, email);
    expect(await getClaimLink(ctx, { id: link.id })).toMatchObject({ placesTaken: 0, waitingCount: 0 });
  });

  it("have their code mailed in the language of the page, and else in that of the organisation", async () => {
    const { ctx } = await world();
    await updateOrganisation(ctx, { locale: "de-AT", timeZone: "Europe/Vienna" });
    const link = await claimLink(ctx);
    const letter = async (email: string) => {
      const [mail] = await sql<{ id: Id<"aml">; kind: "claim_code"; link: Uint8Array; locale: string }>(
        `SELECT id, kind, link, locale FROM account_mails WHERE email = $1 AND kind = 'claim_code'`,
        [email],
      );
      return (await proofLetterFor(mail!, new Date()))!;
    };
    const [german, english, noPage] = [someAddress(), someAddress(), someAddress()];
    await browser(link.code, "de").send({ step: "address", email: german });
    await browser(link.code, "en").send({ step: "address", email: english });
    await requestClaimCode(visitor(), { code: link.code, email: noPage });
    for (const email of [german, noPage]) {
      const { subject, html } = await letter(email);
      expect(subject).toMatch(/^\d{3} \d{3} ist Ihr Code$/);
      expect(html).toContain('<html lang="de">');
      expect(html).toContain("Geben Sie diesen Code auf der Seite von");
    }
    expect((await letter(english)).subject).toMatch(/^\d{3} \d{3} is your code$/);
  });

  it("prevent that their link is deleted or gets fewer places than are taken", async () => {
    const { ctx } = await world();
    const link = await claimLink(ctx, { approval: true });
    for (const name of ["Ada", "Grace"]) await claimed(link.code, { name });
    await expect(deleteClaimLink(ctx, { id: link.id })).rejects.toMatchObject({ code: "claims_waiting" });
    await expect(updateClaimLink(ctx, { id: link.id, maxClaims: 1 })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  it("cannot be seen, decided or changed by another organisation", async () => {
    const [one, other] = [await world(), await world()];
    const { id, linkId } = await waitingClaim(one.ctx);
    expect((await approveClaims(other.ctx, { ids: [id] })).data[0]!.error!.code).toBe("not_found");
    expect((await rejectClaims(other.ctx, { ids: [id], reason: "No" })).data[0]!.error!.code).toBe("not_found");
    await expect(getClaimLink(other.ctx, { id: linkId })).rejects.toMatchObject({ code: "not_found" });
    expect((await listClaims(other.ctx, {})).data).toEqual([]);
  });
});

it("erasing a person removes their claims", async () => {
  const { ctx, orgId } = await world();
  const { id: templateId } = await publishedTemplate(ctx, { design });
  const link = await claimLink(ctx, { templateId });
  const { email } = await claimed(link.code, { name: "Grace Hopper", field0: "Navy", field1: "1" });
  const waiting = await claimLink(ctx, { approval: true, maxClaims: 1 });
  await claimed(waiting.code, { name: "Grace Hopper" }, email);
  const subjectId = (await listClaims(ctx, { state: "issued" })).data[0]!.subjectId!;
  await eraseSubject(ctx, { id: subjectId, reason: "Request 7" });
  const rows = await sql<{ all: string }>(
    `SELECT concat_ws(' ', email, display_name, data, reason) AS all FROM claims WHERE org_id = $1
     UNION ALL SELECT email FROM address_proofs WHERE email = $2 UNION ALL SELECT email FROM account_mails WHERE email = $2`,
    [orgId, email],
  );
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${email}|Grace|Navy`));
  expect(await getClaimLink(ctx, { id: waiting.id })).toMatchObject({ placesTaken: 0, waitingCount: 0 });
  // An erased person who claims again must not bring the erased record back.
  await expect(claimed((await claimLink(ctx)).code, { name: "Grace" }, email)).rejects.toMatchObject({
    code: "subject_erased",
  });
});

it("a request decides at most 100 claims", async () => {
  const { ctx } = await world();
  const ids = Array.from({ length: 101 }, () => "clm_01k4b2hz3ge5d8s7a6p4c2b1n0");
  await expect(approveClaims(ctx, { ids })).rejects.toMatchObject({ code: "invalid_request" });
  expect((await approveClaims(ctx, { ids: ids.slice(1) })).failed).toBe(100);
});

it("the page has the logo and the colours of the card", async () => {
  const { ctx } = await world();
  const logo =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const { id: templateId } = await publishedTemplate(ctx, { design: { colors: { background: "#123456" }, logo } });
  const text = await browser((await claimLink(ctx, { templateId })).code).look();
  expect(text).toContain(`<img src="${logo}"`);
  expect(text).toContain("background-color:#123456");
});

it("the page says that nobody can claim if the service sends no e-mail", async () => {
  const html = (await renderer()).english.claimPage({
    code: "7K3M-Q9ZX-4T2B-8WNE",
    title: "Guest pass",
    organisation: "Quiet University",
    brand: brandOf("membership", {}),
    state: "open",
    needsApproval: false,
    timeZone: "UTC",
    progress: { step: "address" },
    sendsMail: false,
    entered: {},
    errors: {},
  });
  expect(html).toContain("This cannot be claimed yet");
  expect(html).not.toContain('<script type="module"');
});
