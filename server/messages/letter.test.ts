import { beforeAll, describe, expect, it } from "vitest";
import { builtInTexts } from "@/server/message-texts/default-texts";
import { automaticKinds } from "@/server/message-texts/kinds";
import { updateOrganisation } from "@/server/organisations/update";
import { contrastOf } from "@/server/templates/palette";
import { sql } from "@/server/testing/sql";
import type { MessageFacts } from "./facts";
import { messageLetter } from "./letter";
import { withMessages } from "./testing/with-messages";

const facts: MessageFacts = {
  code: "7Q4MX2KD93THZP6V",
  state: "active",
  valid_from: new Date("2026-01-01T00:00:00Z"),
  expires_at: new Date("2027-10-01T00:00:00Z"),
  superseded_by: null,
  reason: null,
  kind: "student_id",
  title: "Student <card>",
  holder: "Ada Lovelace",
  email: "ada@example.edu",
  holder_active: true,
  organisation: "Example University",
  region: { timeZone: "UTC", locale: "en-US" },
  of_template: {},
  of_organisation: {},
  colors: null,
  logo: null,
};
const now = new Date("2026-11-23T00:00:00Z");
const letter = (more: Partial<MessageFacts>, kind: Parameters<typeof messageLetter>[1] = "issued") =>
  messageLetter({ ...facts, ...more }, kind, now);

describe("the letter of a message", () => {
  it("fills in names, the link and dates in the organisation's format, escaped in HTML", () => {
    const { subject, text, html } = letter({});
    expect(subject).toBe("Your credential “Student <card>” is ready");
    expect(text).toContain("It is valid through September 30, 2027.");
    expect(text).toContain("/c/7Q4M-X2KD-93TH-ZP6V");
    expect(text).not.toContain("It becomes valid");
    expect(html).toContain("<bdi>Student &lt;card&gt;</bdi>");
    expect(html).toContain('lang="en-US"');
  });

  it("has a button that stands out from the white of the message, on a card of any colour", () => {
    const buttonOf = (more: Partial<MessageFacts>) =>
      /display:inline-block[^"]*background:(#\w+);color:(#\w+)/.exec(letter(more).html)!.slice(1);
    const stripOf = (more: Partial<MessageFacts>) => /height:6px[^"]*background:(#\w+)/.exec(letter(more).html)![1]!;
    for (const more of [
      { kind: "academic" },
      { kind: "student_id" },
      { colors: { background: "#ffffff" } },
      { colors: { background: "#ffe9a8" } },
      { colors: { background: "#101820" } },
    ] satisfies Partial<MessageFacts>[]) {
      const [fill, ink] = buttonOf(more);
      expect([more, contrastOf(fill!, "#ffffff") >= 3, contrastOf(fill!, ink!) >= 4.5]).toEqual([more, true, true]);
      expect(stripOf(more)).toBe(fill);
    }
    expect(buttonOf({ colors: { background: "#101820", foreground: "#ffcc00" } })).toEqual(["#101820", "#ffcc00"]);
  });

  it("is in German for an organisation that writes German, in all its built-in words", () => {
    const german = { region: { timeZone: "UTC", locale: "de-AT" } };
    const { subject, text, html } = letter(german);
    expect(subject).toBe("Ihr Nachweis „Student <card>“ ist da");
    expect(text).toContain("Gültig bis einschließlich 30. September 2027.");
    expect(html).toContain('lang="de-AT"');
    for (const kind of [...automaticKinds, "confirm_name"] as const) {
      const [ours, theirs] = [letter({}, kind), letter(german, kind)];
      expect(theirs.text).not.toMatch(/\b(?:the|your|credential|Bonafide sent)\b/i);
      expect(theirs.html).not.toMatch(/>(?:Open the credential|Look at my name|All your credentials)/);
      expect(theirs.text.split("\n").length).toBe(ours.text.split("\n").length);
    }
    expect(letter({ ...german, title: "evil.example" }, "expiring").subject).toBe("Ihr Nachweis läuft bald ab");
  });

  it("is English throughout for an organisation of another language, unless it has its own text", () => {
    const french = { region: { timeZone: "UTC", locale: "fr-FR" } };
    const { text, html } = letter(french);
    expect(text).toContain("It is valid through 30 September 2027.");
    expect(html).toContain('lang="en-GB"');
    const own = letter({
      ...french,
      of_template: { texts: { issued: { subject: "Carte", body: "Fin {{expires}}." } } },
    });
    expect(own.text).toContain("Fin 30 septembre 2027.");
    expect(own.html).toContain('lang="fr-FR"');
  });

  it.each([...automaticKinds, "confirm_name"] as const)("has the same placeholders in both languages: %s", (kind) => {
    const places = (locale: string) =>
      Object.values(builtInTexts(locale).texts[kind]).map((text) => [...text.matchAll(/\{\{\w+\}\}/g)].flat().sort());
    expect(places("de-DE")).toEqual(places("en-GB"));
  });

  it("links to all credentials of the holder, unless it asks to confirm a name before there is one", () => {
    const { text, html } = letter({});
    expect(text).toMatch(/All your credentials in one place: https?:\/\/[^/\s]+\/home\n/);
    expect(html).toMatch(/<a href="https?:\/\/[^/"]+\/home"[^>]*>All your credentials in one place<\/a>/);
    const asks = letter({}, "confirm_name");
    for (const part of [asks.text, asks.html]) expect(part).not.toContain("/home");
    expect(asks.html).toContain("Look at my name</a>");
  });

  it("uses the text of the template, else of the organisation, else the built-in text", () => {
    const text = (subject: string) => ({ texts: { issued: { subject, body: "{{link}}" } } });
    const subject = (more: Partial<MessageFacts>) => letter(more).subject;
    expect(subject({ of_template: text("ours"), of_organisation: text("theirs") })).toBe("ours");
    expect(subject({ of_organisation: text("theirs") })).toBe("theirs");
    expect(letter({ of_organisation: text("theirs") }, "revoked").subject).toContain("was revoked");
  });

  it("leaves out lines whose value is missing, and turns web addresses in the text into links", () => {
    const body = "Dear {{name}},\n\nSee https://example.edu/card?a=1&b=2.\nEnds {{expires}}.\n\n{{link}}";
    const { text, html } = letter({ expires_at: null, of_template: { texts: { issued: { subject: "s", body } } } });
    expect(text).not.toContain("Ends");
    expect(html).toContain('<a href="https://example.edu/card?a=1&amp;b=2">');
    expect(html).toContain(">Open the credential</a>");
  });

  it("leaves out names that look like a link, and never turns a filled-in value into a link", () => {
    const { subject, text, html } = letter({ title: "https://evil.example", holder: "evil.example" });
    expect(subject).toBe("Your credential is ready");
    expect(text + html).not.toContain("evil");
  });

  it("uses the template's sender name and reply address, else the organisation's, else the organisation's name", () => {
    const theirs = { senderName: "Registrar", replyTo: "registrar@example.edu" };
    const from = ({ senderName, replyTo }: ReturnType<typeof letter>) => [senderName, replyTo];
    expect(from(letter({ of_organisation: theirs, of_template: { senderName: "Library" } }))).toEqual([
      "Library",
      "registrar@example.edu",
    ]);
    expect(from(letter({}))).toEqual(["Example University", null]);
  });
});

describe("the settings of messages", () => {
  let home: Awaited<ReturnType<typeof withMessages>>;
  beforeAll(async () => {
    home = await withMessages(["issued"], {
      senderName: "Library",
      texts: { revoked: { subject: "Gone", body: "{{link}}" } },
    });
  });
  const patch = (messages: object) => home.request("PATCH", `/v1/templates/${home.template.id}`, { messages });

  it("keep fields that a change does not name, and lose fields that it sets to null", async () => {
    const text = { subject: "Ready", body: "Hello {{ name }}\r\n\r\n{{link}}" };
    const { messages } = (await patch({ texts: { issued: text } })).json<{ messages: Record<string, unknown> }>();
    expect(messages).toEqual({
      automatic: ["issued"],
      expiringDays: 30,
      senderName: "Library",
      replyTo: null,
      texts: {
        issued: { subject: "Ready", body: "Hello {{ name }}\n\n{{link}}" },
        revoked: { subject: "Gone", body: "{{link}}" },
      },
    });
    const after = (await patch({ senderName: null, texts: { revoked: null } })).json<
      typeof home.template & { messages: object }
    >();
    expect(after.messages).toMatchObject({ senderName: null, texts: { issued: expect.anything() } });
    expect(Object.keys((after.messages as { texts: object }).texts)).toEqual(["issued"]);
  });

  it.each([
    [
      { texts: { issued: { subject: "Hi {{nmae}}", body: "x" } } },
      /unknown placeholder \{\{nmae\}\}\. Known placeholders: \{\{name\}\}, \{\{title\}\}/,
    ],
    [{ texts: { issued: { subject: "Hi", body: "{{name" } } }, /has \{\{ or \}\} without the other/],
    [{ texts: { issued: { subject: "Hi", body: "Ada \u202Eecila" } } }, /change the direction/],
    [{ texts: { issued: { subject: "Hi\nBcc: a@b.example", body: "x" } } }, /control characters/],
    [{ texts: { issued: { subject: "Hi", body: "x".repeat(5001) } } }, /5000/],
    [{ senderName: "help@bank.example" }, /not an address/],
    [{ replyTo: "nobody" }, /e-mail address/],
    [{ expiringDays: 0 }, /whole number from 1 to 365/],
    [{ automatic: ["issued", "issued"] }, /twice/],
    [{ automatic: ["opened"] }, /./],
  ])("refuse %j", async (messages, why) => {
    const answer = await patch(messages);
    expect([answer.status, answer.json()["detail"]]).toEqual([400, expect.stringMatching(why)]);
  });

  it("of the organisation apply unless the template overrides them, and changes are audited", async () => {
    const { home: world, request } = home;
    const set = await updateOrganisation(world.ctx, { messages: { replyTo: "registrar@example.edu" } });
    expect(set.messages).toEqual({ senderName: null, replyTo: "registrar@example.edu", texts: {} });
    expect((await request("GET", "/v1/organisation")).json()).toMatchObject({ messages: set.messages });
    const [entry] = await sql(
      `SELECT detail FROM audit_entries WHERE org_id = $1 AND action = 'organisation.updated'`,
      [world.orgId],
    );
    expect(entry).toMatchObject({ detail: { messages: { to: { replyTo: "registrar@example.edu", texts: [] } } } });
  });
});
