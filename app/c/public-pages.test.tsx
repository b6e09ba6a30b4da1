import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CredentialPage } from "@/components/public/pages/credential-page";
import { wordOf } from "@/components/public/read-words";
import { BriefAnswer } from "@/components/public/verify-answer";
import { VerifyPage } from "@/components/public/pages/verify-page";
import { formatCode, readCode } from "@/server/credentials/code";
import { resumeCredential } from "@/server/credentials/resume";
import { revokeCredential } from "@/server/credentials/revoke";
import { suspendCredential } from "@/server/credentials/suspend";
import { hashesOf } from "@/server/http/web/page-policy";
import { degree } from "@/server/testing/academic";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { confirmOrganisationName } from "@/server/organisations/confirm-name";
import { getOrganisation } from "@/server/organisations/get";
import { updateOrganisation } from "@/server/organisations/update";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { flushVerifications } from "@/server/verification/observe";
import { loadPublicPage } from "@/server/verification/public-page";
import { renderer } from "./renderer";

const headline = (html: string) => /<h1[^>]*>([^<]*)/.exec(html)?.[1];

async function card(some: Parameters<typeof issued>[2] = {}) {
  const { ctx, orgId } = await world();
  const { id: templateId } = await publishedTemplate(ctx, {
    name: `Members' <card> & "more"`,
    design: { front: { fields: [{ key: "name", binding: "subject.displayName" }] }, publicFields: ["name"] },
  });
  return { ctx, orgId, ...(await issued(ctx, templateId, some)) };
}

describe("the page of a credential", () => {
  it("shows each change from the next request on", async () => {
    const { ctx, id, code } = await card();
    const told = async () => headline((await call("GET", `/c/${code}`)).text);
    expect(await told()).toBe("Valid");
    await suspendCredential(ctx, { id, reason: "Fees" });
    expect(await told()).toBe("Suspended");
    await resumeCredential(ctx, { id });
    expect(await told()).toBe("Valid");
    await revokeCredential(ctx, { id, reason: "Left" });
    expect(await told()).toBe("Revoked");
  });

  it("is not green, and says next to the name that nobody confirmed the issuer", async () => {
    const { ctx, code } = await card();
    const opened = async () => (await call("GET", `/c/${code}`)).text.split("<h1")[1]!.split("<img")[0]!;
    const tone = async () =>
      /class="([^"]*)"[^>]*data-result="valid"/.exec((await call("GET", `/c/${code}`)).text)?.[1];
    const confirmed = await tone();
    expect(confirmed).toContain("rounded-2xl");
    expect(await opened()).not.toContain("nobody");
    await updateOrganisation(ctx, { name: "Harvard University" });
    expect(await tone()).not.toBe(confirmed);
    expect(await opened()).toMatch(/nobody confirms who the issuer is.*Harvard University.*nobody has confirmed it/s);
    await confirmOrganisationName(ctx, {});
    expect(await tone()).toBe(confirmed);
  });

  it("says in link previews that nobody confirmed the issuer's name", async () => {
    const { ctx, code } = await card();
    const told = async () => {
      const { text } = await call("GET", `/c/${code}`);
      const [, siteName] = /<meta property="og:site_name" content="([^"]*)"/.exec(text) ?? [];
      return { siteName, description: /<meta property="og:description" content="([^"]*)"/.exec(text)![1] };
    };
    await updateOrganisation(ctx, { name: "Harvard University" });
    expect(await told()).toEqual({
      siteName: undefined,
      description: expect.stringContaining("calls itself Harvard University; nobody has confirmed that name"),
    });
    await confirmOrganisationName(ctx, {});
    expect(await told()).toEqual({
      siteName: "Harvard University",
      description: expect.stringContaining("Issued by Harvard University."),
    });
  });

  it("shows no check next to the name of an issuer without a logo", async () => {
    const { code } = await card();
    const { text } = await call("GET", `/c/${code}`);
    const [drawn] = /<svg[^>]*viewBox="0 0 64 64"[^>]*>.*?<\/svg>/s.exec(text.slice(text.indexOf('role="img"')))!;
    expect(drawn).toContain("<circle");
    expect(drawn).not.toContain("m21 33 8 8 15-17");
  });

  it("lets search engines list valid credentials where the template says so, and no other page", async () => {
    const { ctx } = await world();
    const robots = async (code: string) =>
      /<meta name="robots" content="([^"]*)"/.exec((await call("GET", `/c/${code}`)).text)?.[1];
    const { id: unlisted } = await publishedTemplate(ctx, { name: "Unlisted" });
    expect(await robots((await issued(ctx, unlisted)).code)).toBe("noindex, nofollow");

    const { id: listed } = await publishedTemplate(ctx, { name: "Listed", design: { searchable: true } });
    const { id, code } = await issued(ctx, listed);
    expect(await robots(code)).toBe("index, follow");
    await suspendCredential(ctx, { id, reason: "Fees" });
    expect(await robots(code)).toBe("noindex, nofollow");

    const { id: ofDegrees } = await publishedTemplate(ctx, { kind: "academic", design: { searchable: true } });
    const academic = await issued(ctx, ofDegrees, { subject: { externalId: "s-2", displayName: "Ada" } });
    expect(await robots(academic.code)).toBe("index, follow");
    await eraseSubject(ctx, { id: academic.subjectId, reason: "Request 17" });
    expect(await robots(academic.code)).toBe("noindex, nofollow");
  });

  it("shows only the public fields of the back of a card, and no back without public fields", async () => {
    const { ctx } = await world();
    const back = {
      fields: [
        { key: "found", label: "Found?", text: "Return it to the library", width: "full" as const },
        { key: "room", label: "Room", text: "Room 17, kept to ourselves" },
      ],
    };
    const pageOf = async (publicFields: string[]) => {
      const { id } = await publishedTemplate(ctx, { name: `Card ${publicFields}`, design: { back, publicFields } });
      const { code } = await issued(ctx, id);
      return (await call("GET", `/c/${code}`)).text;
    };
    const shown = await pageOf(["found"]);
    expect(shown).toContain(`aria-label="Back of Card found`);
    expect(shown).toContain("Return it to the library");
    expect(shown).not.toContain("Room 17");
    expect(await pageOf([])).not.toContain("Back of");
  });

  it("loads the pictures of the card as files that browsers keep, so that the page is small", async () => {
    const { ctx } = await world();
    const picture = (letter: string) =>
      `data:image/webp;base64,${Buffer.from(letter.repeat(50_000)).toString("base64")}`;
    const [front, back] = ["f", "b"].map((letter) => ({ fields: [], background: picture(letter) }));
    const { id } = await publishedTemplate(ctx, { design: { logo: picture("l"), front, back } });
    const { code } = await issued(ctx, id);
    const { text } = await call("GET", `/c/${code}`);
    expect(text.length).toBeLessThan(50_000);
    const paths = [...text.matchAll(/<img src="([^"]*\/picture\/[^"]*)"/g)].map(([, path]) => path!);
    expect(text.match(/<img [^>]*fetchpriority="low"/gi)).toHaveLength(paths.length);
    expect(paths.map((path) => path.split(/[/?]/)[5])).toEqual(["front", "logo", "back", "logo"]);
    for (const path of new Set(paths)) {
      const answer = await call("GET", path);
      const letter = path.split("/picture/")[1]![0]!;
      expect([answer.status, answer.headers.get("content-type"), answer.text]).toEqual([
        200,
        "image/webp",
        letter.repeat(50_000),
      ]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const unnamed = await call("GET", path.split("?")[0]!, {
        headers: { "if-none-match": answer.headers.get("etag")! },
      });
      expect([unnamed.status, unnamed.headers.get("cache-control")]).toEqual([304, "no-cache"]);
    }
    for (const missing of [`/public/credentials/${code}/picture/photo`, "/public/credentials/nonsense/picture/logo"])
      expect((await call("GET", missing)).status).toBe(404);
  });

  it("says that a credential is not yet valid", async () => {
    const future = await card({ validFrom: "2100-01-01T00:00:00Z" });
    expect(headline((await call("GET", `/c/${future.code}`)).text)).toBe("Not yet valid");
  });

  it("may not be cached, and runs only its own script", async () => {
    const { code } = await card();
    for (const path of [`/c/${code}`, "/c/nonsense", "/verify"]) {
      const { headers, text } = await call("GET", path);
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "no-store",
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "referrer-policy": "strict-origin-when-cross-origin",
        "request-id": expect.stringMatching(/^req_/),
      });
      const sources = /script-src ([^;]*)/.exec(headers.get("content-security-policy")!)![1]!.split(" ");
      expect(sources).toEqual(["'self'", ...hashesOf(text), "'wasm-unsafe-eval'"]);
    }
  });

  it("redirects every other spelling of the code to the canonical address", async () => {
    const { code } = await card();
    const other = await call("GET", `/c/${code.toLowerCase().replaceAll("-", "")}?from=mail`);
    expect([other.status, other.headers.get("location"), other.text]).toEqual([308, `/c/${code}?from=mail`, ""]);
    expect((await call("GET", `/c/${code}?from=%E0%A4%A`)).status).toBe(200);
  });

  it("says the same for every code that does not exist", async () => {
    const answers = await Promise.all(
      ["/c/0000-0000-0000-0000", "/c/nonsense", "/c/%E0%A4%A", "/c/unknown"].map((path) => call("GET", path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(headline(answers[0]!.text)).toBe("There is no credential with this code");
  });

  it("counts a view when a person opens it, and not for preloads and requests of scripts", async () => {
    const { code, orgId } = await card();
    await call("GET", `/c/${code}`, { headers: { "sec-purpose": "prefetch" } });
    await call("GET", `/c/${code}`, { headers: { "sec-fetch-mode": "cors" } });
    await flushVerifications();
    const viewed = async () => (await eventsOf(orgId)).filter(({ type }) => type === "credential.viewed").length;
    expect(await viewed()).toBe(0);
    await call("GET", `/c/${code}`);
    await flushVerifications();
    expect(await viewed()).toBe(1);
  });
});

it("/verify shows the answer for a typed code without scripts, with the answer in the title", async () => {
  const { code } = await card();
  const { text } = await call("GET", `/verify?code=${code.toLowerCase()}`);
  expect([headline(text), /<title>([^<]*)/.exec(text)![1]]).toEqual([
    "Valid",
    "Valid: Members&#x27; &lt;card&gt; &amp; &quot;more&quot; · Bonafide",
  ]);
  expect(headline((await call("GET", "/verify?code=0000-0000-0000-0000")).text)).toContain("no credential");
  expect(headline((await call("GET", "/verify?code=what")).text)).toBe("This is not a code");
});

it("the answer for the camera names the issuer, and says if nobody confirmed the name", async () => {
  const { ctx, code } = await card();
  const brief = async () => {
    const { verification } = await loadPublicPage(code, { via: "page", viewer: "t", now: new Date(), isVisit: false });
    return renderToStaticMarkup(<BriefAnswer verification={verification} askAnew={() => Promise.resolve()} />);
  };
  const name = (await getOrganisation(ctx, {})).name;
  expect((await brief()).split("Issued by")[1]).toContain(name);
  expect(await brief()).not.toContain("nobody has confirmed");
  await updateOrganisation(ctx, { name: "Harvard University" });
  expect(await brief()).toMatch(/Issued by.*Harvard University.*nobody has confirmed it/);
});

it("the document has the QR code before the card, as phones show them, so that nothing moves while it arrives", async () => {
  const { code } = await card();
  const { text } = await call("GET", `/c/${code}`);
  expect(text.indexOf("data-qr-open")).toBeGreaterThan(0);
  expect(text.indexOf("data-qr-open")).toBeLessThan(text.indexOf('role="img"', text.indexOf("</aside>")));
  expect(text).not.toContain("order-first");
});

it("the title and the list of the last checks say that nobody confirmed the issuer", async () => {
  const { ctx, code } = await card();
  await updateOrganisation(ctx, { name: "Harvard University" });
  expect(/<title>([^<:]*)/.exec((await call("GET", `/verify?code=${code}`)).text)![1]).toBe(
    "Valid, issuer not confirmed",
  );
  const { verification } = await loadPublicPage(code, { via: "page", viewer: "t", now: new Date(), isVisit: false });
  expect(wordOf({ outcome: { kind: "decision", verification } })).toBe("Valid, issuer not confirmed");
});

// Compare as browsers do: attribute names have no case and no order, and icons are drawn by create-icon.ts.
const plain = (html: string) =>
  html
    .replaceAll(/<link rel="preload"[^>]*>/g, "")
    .replaceAll(/<svg(?=[^>]*viewBox="0 0 24 24")([^>]*)>.*?<\/svg>/g, "<icon>")
    .replace(/ data-device="[^"]*"/, ' data-device=""')
    .replaceAll("/>", ">")
    .replaceAll(/&#(\d+);/g, (_, number: string) => String.fromCharCode(Number(number)))
    .replaceAll(/<([a-z0-9]+)((?: [^ =>]+="[^"]*")+)>/gi, (_, tag: string, attributes: string) => {
      const all = Array.from(
        attributes.matchAll(/ ([^ =]+)="([^"]*)"/g),
        ([, name, value]) => `${name!.toLowerCase()}="${value}"`,
      );
      return `<${tag} ${all.sort().join(" ")}>`;
    });

it("the pages' HTML equals that of React", async () => {
  const { english: pages } = await renderer();
  const { ctx, id, code } = await card();
  const academic = (await degree((await world()).ctx)).credential;
  const look = () => ({ via: "page" as const, viewer: "test", now: new Date(), isVisit: false });
  const assets = { style: "s", script: "j" };
  const compare = async (code: string, hasFiles: boolean) => {
    const page = await loadPublicPage(code, look());
    const origin = "https://credentials.example.edu";
    const given = { page, hasFiles, wallets: { apple: true, google: true }, origin };
    const [, ours] = /^<!doctype html>(.*)$/s.exec(pages.credentialPage(given))!;
    const reacts = renderToStaticMarkup(<CredentialPage {...{ ...given, assets }} />);
    const body = (html: string) => plain(html.slice(html.indexOf("<body")));
    expect(body(ours!)).toBe(body(reacts));
    const answer = { kind: "decision" as const, verification: page.verification };
    const desk = { answer, typed: `"><script>${code}`, ownHosts: ["a"] };
    expect(body(pages.verifyPage(desk))).toBe(body(renderToStaticMarkup(<VerifyPage {...desk} assets={assets} />)));
  };
  await compare(code, false);
  await revokeCredential(ctx, { id, reason: `<img src=x onerror="alert('1')">` });
  await compare(code, false);
  await compare(formatCode(readCode(academic.code)!), true);
});

it("the QR code does not offer to open full-screen without scripts", async () => {
  const { code } = await card();
  const { text } = await call("GET", `/c/${code}`);
  const [, look] = /<span class="([^"]*)">Show it large/.exec(text)!;
  expect(look!.split(" ")).toContain("noscript:hidden");
  expect(built(/<link rel="stylesheet" href="([^"]*)"/.exec(text)![1]!).toString()).toContain(
    "@media(scripting:none){.noscript\\:hidden{display:none}",
  );
});

it("a page loads less than 20 kB of scripts and 15 kB of styles, compressed", async () => {
  for (const path of ["/c/nonsense", "/verify"]) {
    const { text } = await call("GET", path);
    const script = loadedWith(/<script type="module" src="([^"]*)"/.exec(text)![1]!);
    expect(sizeOf([...script])).toBeLessThan(20 * 1024);
    expect(sizeOf([/<link rel="stylesheet" href="([^"]*)"/.exec(text)![1]!])).toBeLessThan(15 * 1024);
  }
});

const built = (path: string) => readFileSync(join(process.cwd(), ".build/public", path));
const sizeOf = (paths: string[]) => paths.reduce((sum, path) => sum + gzipSync(built(path)).length, 0);

/** A script with its static imports. */
function loadedWith(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  const text = built(path).toString();
  for (const [, imported] of text.matchAll(/(?:^|[;}\s])import(?:\{[^}]*\}from)?"([^"]+)"/g))
    loadedWith(imported!, known);
  return known;
}

it("only existing files of the pages are served", async () => {
  const { text } = await call("GET", "/verify");
  const style = await call("GET", /<link rel="stylesheet" href="([^"]*)"/.exec(text)![1]!);
  expect([style.status, style.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
  for (const path of [
    "/assets/none-AAAAAAAA.js",
    "/assets/..%2F..%2Fpackage.json",
    "/assets/%2e%2e",
    "/assets/pages.mjs",
  ])
    expect((await call("GET", path)).status).toBe(404);
});

describe("the language of the browser", () => {
  const german = { headers: { "accept-language": "fr;q=0.2, de-AT;q=0.9, en;q=0.8" } };
  const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];

  it("applies to the words, the reason, the dates and the labels of a credential's page", async () => {
    const { ctx } = await world();
    const { id } = await publishedTemplate(ctx, {
      name: "Ausweis",
      design: {
        front: { fields: [{ key: "room", label: { en: "Room", de: "Raum" }, text: "17" }] },
        publicFields: ["room"],
      },
    });
    const credential = await issued(ctx, id, { expiresAt: "2100-03-02T00:00:00Z" });
    const read = () => call("GET", `/c/${credential.code}`, german);
    const valid = await read();
    expect([headline(valid.text), langOf(valid.text)]).toEqual(["Gültig", "de"]);
    expect([valid.headers.get("vary"), valid.headers.get("content-language")]).toEqual([
      expect.stringContaining("accept-language"),
      "de",
    ]);
    expect(valid.text).toContain("1. März 2100");
    expect(valid.text).toContain("Raum");
    expect(valid.text).toContain("Weder ausgesetzt noch widerrufen.");
    expect(valid.text).toContain("Dieser Nachweis ist in diesem Moment gültig.");
    await revokeCredential(ctx, { id: credential.id, reason: "Valid" });
    const { text } = await read();
    expect(headline(text)).toBe("Widerrufen");
    // The built-in words on the card itself.
    expect(text).toMatch(/aria-label="Ausweis, ausgestellt von [^"]*: Widerrufen"/);
    expect([text.includes("Mitgliedschaft"), text.includes("Membership")]).toEqual([true, false]);
    // The issuer's own words are not translated.
    expect(text).toMatch(/Dieser Nachweis wurde am \d+\. \p{L}+ \d{4} vom Aussteller widerrufen: Valid</u);
    const english = await call("GET", `/c/${credential.code}`);
    expect([headline(english.text), langOf(english.text)]).toEqual(["Revoked", "en"]);
    expect(english.text).not.toContain('id="words"');
  });

  it("applies to every other public page, including those for misses and failures", async () => {
    for (const [path, word] of [
      ["/verify", "Nachweis prüfen"],
      ["/c/nonsense", "Es gibt keinen Nachweis mit diesem Code"],
      ["/claim/nonsense", "Diesen Link gibt es nicht"],
      ["/confirm/nonsense", "Dieser Link gilt nicht mehr"],
      ["/home/enter?token=nonsense", "Dieser Link gilt nicht mehr"],
    ] as const) {
      const { text } = await call("GET", path, german);
      expect([path, langOf(text), text.includes(word)]).toEqual([path, "de", true]);
      const { text: english } = await call("GET", path, { headers: { "accept-language": "tlh, zz;q=0.5" } });
      expect([path, langOf(english), english.includes(word)]).toEqual([path, "en", false]);
    }
  });
});

it("a page that fails says so, says nothing about the credential, and can be requested again", async () => {
  const { english: pages } = await renderer();
  const html = pages.notCheckedPage({ address: '/verify?code="><script>', reference: "req_1" });
  expect(headline(html)).toBe("This could not be checked");
  expect(html).toContain('href="/verify?code=&quot;&gt;&lt;script&gt;"');
});
