import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-api";
import { afterEach, describe, expect, it } from "vitest";
import { languageOf, localeIn } from "@/server/core/languages";
import { erasedReason } from "@/server/credentials/insert-credentials";
import { checkIssuerIdentity } from "@/server/standards/verify/check-issuer-identity";
import { checkValidity } from "@/server/standards/verify/check-validity";
import { unsignedWords } from "@/server/standards/verify/unsigned";
import { notOnRecord, ownIdentity } from "@/server/verification/own-document-checks";
import { unverifiable } from "@/server/verification/reasons";
import { withRegistries } from "@/server/verification/registry-check";
import { credential } from "./bundle/german/credential";
import { device } from "./bundle/german/device";
import { germanWords } from "./bundle/german/german";
import { verify } from "./bundle/german/verify";
import { say, sayOf, speak } from "./words";

afterEach(() => speak());

/** Files without texts: the catalogues themselves, and those that start scripts. */
const isBundle = /^components\/public\/bundle\//;
/** The offline part has its words in its own script. */
const isDevice = /^components\/public\/device\//;

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
    .map((file) => join(folder, file));

/** Properties of tables whose texts are passed to say() (decision-looks.ts). */
const said = /^(?:word|brief|past|meaning)$/;

/** The texts that a file passes to say(), directly or through a table. */
function textsIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const texts: string[] = [];
  const read = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(read);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === "say") read(node.arguments[0]!);
    if (ts.isPropertyAssignment(node) && said.test(node.name.getText(source))) read(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

const files = sources("components/public").filter((file) => !isBundle.test(file));
const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).sort();

describe("the German catalogue", () => {
  it("has every text of the public pages, with each of its values", () => {
    const texts = files.flatMap(textsIn);
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => germanWords.words[text] === undefined)).toEqual([]);
    for (const [text, german] of Object.entries(device))
      expect([text, germanWords.words[text]]).toEqual([text, german]);
    for (const [text, german] of [...Object.entries(germanWords.words), ...Object.entries(germanWords.sentences)])
      expect([text, values(german)]).toEqual([text, values(text)]);
  });

  it("sends scripts every text that they can write", () => {
    const live = (names: string[]) => files.filter((file) => names.some((name) => file.endsWith(`/${name}`)));
    const ofCredential = live([
      "checked-at.tsx",
      "copy-code.tsx",
      "copy-text.tsx",
      "decision.tsx",
      "past-moment.ts",
      "keep-on-device.tsx",
      "share-actions.tsx",
    ]);
    expect(ofCredential).toHaveLength(7);
    expect(ofCredential.flatMap(textsIn).filter((text) => credential[text] === undefined)).toEqual([]);
    const words = { ...verify, ...credential };
    const onServer = [
      "add-to-wallet.tsx",
      "achievement-text.tsx",
      "downloads.tsx",
      "frame.tsx",
      "form-field.tsx",
      "kept-notice.tsx",
      "qr-full-screen.tsx",
      "unknown-code.tsx",
      "claim-page.tsx",
      "confirm-page.tsx",
      "home-page.tsx",
      "failure-pages.tsx",
      "credential-page.tsx",
      "credential-head.tsx",
      "verify-page.tsx",
    ];
    const ofDevice = files.filter((file) => isDevice.test(file));
    expect(ofDevice.flatMap(textsIn).length).toBeGreaterThan(50);
    expect(ofDevice.flatMap(textsIn).filter((text) => device[text] === undefined)).toEqual([]);
    const atVerify = files.filter(
      (file) => !isDevice.test(file) && !onServer.some((name) => file.endsWith(`/${name}`)),
    );
    expect(atVerify.flatMap(textsIn).filter((text) => words[text] === undefined)).toEqual([]);
  });
});

it("has the German text of every check of other issuers' credentials", () => {
  speak(germanWords);
  const now = new Date("2026-11-23T12:00:00Z");
  const validity = (from: string | null, until: string | null) =>
    checkValidity(
      { from: from ? new Date(from) : null, until: until ? new Date(until) : null, includesUntil: true },
      { now },
    );
  const listing = { name: "Community", issuerName: "Example University", readAt: now };
  const region = { timeZone: "UTC", locale: "en-GB" };
  const details = [
    ...["did:web:example.edu", "did:web:example.edu:users:ada", "did:key:z6Mk"].map(checkIssuerIdentity),
    validity(null, null),
    validity("2027-01-01T00:00:00Z", null),
    validity(null, "2026-01-01T00:00:00Z"),
    validity(null, "2027-01-01T00:00:00Z"),
    notOnRecord,
    ownIdentity({ name: "Example University", is_name_confirmed: true }),
    ...(["listed", "not_listed", "unavailable"] as const).flatMap((status) =>
      ["Example University", "Another name"].flatMap((stated) =>
        withRegistries([], [{ ...listing, status }], stated, region),
      ),
    ),
  ].map(({ detail }) => detail);
  details.push(unsignedWords, ...Object.values(unverifiable).flatMap((general) => [general, `${general} Why.`]));
  expect(details.filter((detail) => sayOf(detail) === detail)).toEqual([]);
  expect(sayOf(details[0]!)).toContain("den example.edu veröffentlicht");
});

it("has the German text for the end of a holder's credential and for a damaged picture", () => {
  speak(germanWords);
  expect(sayOf(`This credential was revoked by its issuer on 2. März 2029: ${erasedReason}`)).toBe(
    "Dieser Nachweis wurde am 2. März 2029 vom Aussteller widerrufen: Auf Wunsch der Person gelöscht",
  );
  for (const kind of ["a PNG", "an SVG"])
    expect(sayOf(`The file is not ${kind} picture, or it is damaged.`)).toContain("beschädigt");
});

/** What a computed part of a sentence can be, by module and expression. Any other part can be any text. */
const computed: Record<string, Record<string, string[]>> = {
  "jose/claims.ts": {
    form: ["a text", "a text or a list of texts", "a number of seconds since 1970, up to the year 9999"],
  },
  "standards/fetch-document.ts": {
    what: ["The issuer's status list", "The issuer's revocation list", "The document with the issuer's keys"],
  },
  "did/controlled-identifier.ts": { what: ["The document with the issuer's keys"] },
  "status-list/fetch-list.ts": { what: ["The issuer's status list"] },
  "status-list/one-edtech-revocation-list.ts": { what: ["The issuer's revocation list"] },
  "did/did-document.ts": { "endWords[end]": ["was revoked", "expired"] },
  "json-ld/canonicalise.ts": {
    "reasonOf(error)": [
      '"a" is not defined by its contexts.',
      "it is nested too deeply.",
      "it cannot be processed.",
      "invalid IRI.",
    ],
  },
  "vcdm/validate-credential.ts": {
    wrongTime: ["must be a date and time with a time zone, such as 2026-01-31T00:00:00Z"],
  },
  "verify/verify-credential.ts": {
    because: [
      "the issuer's key could not be found",
      "who issued it is not certain",
      "no key of the issuer is known to have signed it",
    ],
    what: [
      "Its issuer was",
      "The name of its issuer was",
      "Its terms were",
      "Its dates were",
      "Whether it was revoked was",
    ],
  },
  "verification/registry-check.ts": { asOf: [", as of 1 March 2026"] },
};
/** Parts of other sentences. */
const fragments = [
  "x1 x1.",
  "x1 is not defined by its contexts.",
  "The key does not prove the issuer’s name.",
  "Only this file ended: the credential was extended since, and is x1. Ask its holder for a new file, or check its code.",
  "This document has to be fetched first.",
];
/** Errors for programmers and for callers of the API. */
const isNoCheck = /^(?:DomainError|TypeError|RangeError|Error)$/;
/** Modules whose messages no page shows: of signing, presentations, registries and the headers of a request. */
const isUnseen = /\/(?:testing\/|batch-signing\/|sign-document|verify-presentation|issuer-registry|outbound\/headers)/;

/** The sentences of a module, with each value of its computed parts. */
function sentencesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const parts = new Map(Object.entries(Object.entries(computed).find(([module]) => file.endsWith(module))?.[1] ?? {}));
  const found: string[] = [];
  const textsOf = (node: ts.Expression): string[] | undefined => {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isConditionalExpression(node)) {
      const [yes, no] = [node.whenTrue, node.whenFalse].map(textsOf);
      return yes && no && [...yes, ...no];
    }
    if (!ts.isTemplateExpression(node)) return parts.get(node.getText(source));
    return node.templateSpans.reduce(
      (begun, { expression, literal }) =>
        begun.flatMap((text) => (textsOf(expression) ?? ["x1"]).map((value) => text + value + literal.text)),
      [node.head.text],
    );
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && isNoCheck.test(node.expression.getText(source))) return;
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === "description") return;
    const texts = ts.isExpression(node) ? textsOf(node) : undefined;
    if (texts) found.push(...texts);
    else if (ts.isCallExpression(node) && /^(?:problems|this)\.add$/.test(node.expression.getText(source))) {
      const [place, what] = node.arguments.map(textsOf);
      found.push(...(what ?? []).map((text) => `${place?.[0] ?? "/place"} ${text}.`));
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found.filter((text) => /^\S.* .*\.$/su.test(text) && !fragments.includes(text));
}

it("says in German whatever a check of a document or file can say", () => {
  speak(germanWords);
  const modules = ["server/standards", "server/verification", "server/outbound"].flatMap(sources);
  const told = modules.filter((file) => !isUnseen.test(file)).flatMap(sentencesIn);
  expect(told.length).toBeGreaterThan(200);
  expect(told.filter((text) => sayOf(text) === text)).toEqual([]);
  expect(sayOf("This cannot be read as a credential. /id must be a URL. /type/1 must name a type.")).toBe(
    "Das lässt sich nicht als Nachweis lesen. /id muss eine URL sein. /type/1 muss einen Typ nennen.",
  );
  expect(sayOf("The issuer's status list could not be fetched. The server answered with status 503.")).toBe(
    "Die Statusliste des Ausstellers konnte nicht abgerufen werden. Der Server hat mit dem Status 503 geantwortet.",
  );
});

it("fills values in, also those that look like patterns, and leaves what it does not know", () => {
  speak(germanWords);
  expect(say("Reference {reference}", { reference: "$1 {reference}" })).toBe("Kennung $1 {reference}");
  expect(say("Something else")).toBe("Something else");
  expect(sayOf("This credential was revoked by its issuer on 2 March 2029: Left: $& {day}")).toBe(
    "Dieser Nachweis wurde am 2 March 2029 vom Aussteller widerrufen: Left: $& {day}",
  );
  expect(sayOf("A sentence that nobody translated.")).toBe("A sentence that nobody translated.");
  speak();
  expect(sayOf("Expired.")).toBe("Expired.");
});

it("takes the supported language that the browser prefers, and English by default", () => {
  const of = (header: string | null) => languageOf(header);
  expect(
    [null, "", "fr", "*", "de", "DE-ch", "en-US,de;q=0.9", "de;q=0.5, en;q=0.4", "de;q=0", "den", "de;q=x"].map(of),
  ).toEqual(["en", "en", "en", "en", "de", "de", "en", "de", "en", "en", "en"]);
});

it("writes dates in the organisation's own locale if it has the page's language", () => {
  expect([localeIn("de", "de-AT"), localeIn("de", "en-GB"), localeIn("en", "en-US"), localeIn("en", "fr-FR")]).toEqual([
    "de-AT",
    "de-DE",
    "en-US",
    "en-GB",
  ]);
});
