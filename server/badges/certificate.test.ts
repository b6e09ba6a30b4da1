import { inflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { issueCredential } from "@/server/credentials/issue";
import { revokeCredential } from "@/server/credentials/revoke";
import { updateCredential } from "@/server/credentials/update";
import { drawingFigures, stopDrawing } from "@/server/drawing/draw";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { degree } from "@/server/testing/academic";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { call } from "@/server/testing/request";
import { sql } from "@/server/testing/sql";
import { world, type World } from "@/server/testing/world";

afterAll(stopDrawing);

async function pdfOf(w: World, id: string, headers: Record<string, string> = {}) {
  return call("GET", `/v1/credentials/${id}/credential.pdf`, { token: await w.key(), headers });
}

/** The streams of a PDF, decompressed if necessary. */
function streamsOf(bytes: Uint8Array): { dictionary: string; content: Buffer }[] {
  const pdf = Buffer.from(bytes);
  const text = pdf.toString("latin1");
  return [...text.matchAll(/<<((?:(?!endobj)[^])*?)>>\s*stream\r?\n/g)].map((found) => {
    const from = found.index + found[0].length;
    const content = pdf.subarray(from, text.indexOf("\nendstream", from));
    return { dictionary: found[1]!, content: found[1]!.includes("FlateDecode") ? inflateSync(content) : content };
  });
}

/** The document that is attached to a PDF. */
const attachedTo = (bytes: Uint8Array) =>
  streamsOf(bytes)
    .find(({ dictionary }) => dictionary.includes("/EmbeddedFile"))!
    .content.toString("utf8");

/** The characters that a PDF shows in each of its fonts, decoded by the fonts (ToUnicode). */
const fontsOf = (bytes: Uint8Array): Set<string>[] =>
  streamsOf(bytes)
    .map(({ content }) => content.toString("latin1"))
    .filter((content) => content.includes("beginbfrange"))
    .map((map) => {
      const hex = [...map.matchAll(/<((?:[0-9a-f]{4} ?)+)>/gi)].map(([, each]) => each!.replaceAll(" ", ""));
      return new Set(hex.flatMap((each) => [...Buffer.from(each, "hex").swap16().toString("utf16le")]));
    });

/** Every character that a PDF shows. */
const charactersOf = (bytes: Uint8Array): Set<string> => new Set(fontsOf(bytes).flatMap((font) => [...font]));

describe("credential.pdf", () => {
  it("has the template's picture as its background", async () => {
    const w = await world();
    const picture = await sharp({ create: { width: 20, height: 14, channels: 3, background: "#eef2ff" } })
      .png()
      .toBuffer();
    const pictures = async (background?: string) => {
      const { id } = await publishedTemplate(w.ctx, {
        name: `Degree ${background === undefined}`,
        kind: "academic",
        design: { front: { fields: [], ...(background && { background }) } },
      });
      const answer = await pdfOf(w, (await issued(w.ctx, id)).id);
      return streamsOf(answer.bytes).filter(({ dictionary }) => dictionary.includes("/Image")).length;
    };
    expect(await pictures()).toBe(0);
    expect(await pictures(`data:image/png;base64,${picture.toString("base64")}`)).toBe(1);
  });

  it("labels its dates as the design does", async () => {
    const w = await world();
    const of = async (label: string) => {
      const fields = [{ key: "on", label, binding: "credential.issuedAt", format: "date" as const }];
      const design = { front: { fields }, publicFields: ["on"] };
      const { id } = await publishedTemplate(w.ctx, { name: `Degree ${label}`, kind: "academic", design });
      return charactersOf((await pdfOf(w, (await issued(w.ctx, id)).id)).bytes);
    };
    expect((await of("Ж")).has("Ж")).toBe(true);
  });

  it("prints only the public fields of the template", async () => {
    const w = await world();
    const { id } = await publishedTemplate(w.ctx, {
      name: "DEGREE",
      kind: "academic",
      design: {
        front: {
          fields: [
            { key: "open", label: "Ω", text: "Ж" },
            { key: "closed", label: "Ю", text: "Ю" },
          ],
        },
        publicFields: ["open"],
      },
    });
    const characters = charactersOf((await pdfOf(w, (await issued(w.ctx, id)).id)).bytes);
    expect([characters.has("Ω"), characters.has("Ж"), characters.has("Ю")]).toEqual([true, true, false]);
  });

  it("says how many facts it has no room for, instead of dropping them silently", async () => {
    const w = await world();
    const of = async (letters: string) => {
      const fields = [...letters].map((letter) => ({ key: `f${letter.codePointAt(0)}`, label: letter, text: letter }));
      const { id } = await publishedTemplate(w.ctx, {
        name: `DEGREE ${letters.length}`,
        kind: "academic",
        design: { front: { fields }, publicFields: fields.map(({ key }) => key) },
      });
      const characters = charactersOf((await pdfOf(w, (await issued(w.ctx, id)).id)).bytes);
      // "3 more; see the address below" is the only text of this certificate with a semicolon.
      return { printed: [...letters].filter((letter) => characters.has(letter)).length, says: characters.has(";") };
    };
    // The date of the award and the number of the certificate come first.
    expect(await of("БГДЖЗИЛ")).toEqual({ printed: 7, says: false });
    expect(await of("БГДЖЗИЛПФ")).toEqual({ printed: 6, says: true });
  });

  it("is a PDF with the signed document attached, which verifies until the credential is revoked", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const answer = await pdfOf(w, credential.id);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="certificate-${credential.code}.pdf"`);
    expect(answer.text.slice(0, 8)).toBe("%PDF-1.7");
    const document = await call("GET", `/v1/credentials/${credential.id}/credential.json`, { token: await w.key() });
    expect(attachedTo(answer.bytes)).toBe(document.text);
    const verified = async () =>
      (await call("POST", "/public/verify", { body: { credential: JSON.parse(attachedTo(answer.bytes)) } })).json();
    expect(await verified()).toMatchObject({ result: "valid" });
    const upload = async () =>
      (
        await call("POST", "/public/verify", {
          raw: answer.bytes as BodyInit,
          headers: { "content-type": "application/pdf" },
        })
      ).json();
    expect(await upload()).toMatchObject({ result: "valid" });
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    expect(await verified()).toMatchObject({ result: "invalid", reason: "revoked" });
    expect(await upload()).toMatchObject({ result: "invalid", reason: "revoked" });
  });

  it.each(["Łukasz Žižek", "محمد بن سلمان", "श्रीमती प्रियंका", "山田 はなこ", "김민준", "Nguyễn Thị Ánh"])(
    "prints the name %s as text",
    async (displayName) => {
      const w = await world();
      const template = await publishedTemplate(w.ctx, { kind: "academic" });
      const subject = { externalId: "s", displayName };
      const { id } = (await issueCredential(w.ctx, { subject, templateId: template.id })).credential;
      const shown = charactersOf((await pdfOf(w, id)).bytes);
      expect([...displayName.normalize("NFC")].filter((each) => each.trim() && !shown.has(each))).toEqual([]);
    },
  );

  it("has the same bytes each time, and answers 304 until its content changes", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const [first, second] = [await pdfOf(w, credential.id), await pdfOf(w, credential.id)];
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const headers = { "if-none-match": first.headers.get("etag")! };
    expect((await pdfOf(w, credential.id, headers)).status).toBe(304);
    await updateCredential(w.ctx, { id: credential.id, data: { results: { grade: "B" }, creditsEarned: 120 } });
    expect((await pdfOf(w, credential.id, headers)).status).toBe(200);
  });

  it("is not drawn for HEAD, nor if the client has it already", async () => {
    const { ctx } = await world();
    const { credential } = await degree(ctx);
    await stopDrawing();
    const head = await call("HEAD", `/public/credentials/${credential.code}/credential.pdf`);
    expect(head.status).toBe(200);
    const headers = { "if-none-match": head.headers.get("etag")! };
    expect((await call("GET", `/public/credentials/${credential.code}/credential.pdf`, { headers })).status).toBe(304);
    expect(drawingFigures().processes).toBe(0);
    const drawn = await call("GET", `/public/credentials/${credential.code}/credential.pdf`);
    expect([drawn.status, drawn.headers.get("etag")]).toEqual([200, head.headers.get("etag")]);
  });

  it("shows its state after it is revoked", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    // A code and a name without the letters of that word.
    await sql(`UPDATE credentials SET code = '0000111122223333' WHERE org_id = $1`, [w.orgId]);
    await sql(`UPDATE organisations SET name = 'Institute' WHERE id = $1`, [w.orgId]);
    const valid = charactersOf((await pdfOf(w, credential.id)).bytes);
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    const revoked = charactersOf((await pdfOf(w, credential.id)).bytes);
    expect([valid.has("K"), valid.has("V")]).toEqual([false, false]);
    expect([..."REVOKED"].filter((letter) => !revoked.has(letter))).toEqual([]);
  });

  it("has the words in place of a missing name in the organisation's language", async () => {
    const w = await world();
    await sql(`UPDATE organisations SET locale = 'de-DE' WHERE id = $1`, [w.orgId]);
    const { id } = await publishedTemplate(w.ctx, { kind: "academic" });
    const unnamed = (await issueCredential(w.ctx, { subject: { externalId: "s" }, templateId: id })).credential;
    const letters = (text: Iterable<string>) =>
      [...new Set(text)]
        .filter((each) => each > " " && each < "\uffff")
        .toSorted()
        .join("");
    // The name alone is in its font.
    expect(fontsOf((await pdfOf(w, unnamed.id)).bytes).map(letters)).toContain(letters("Inhaber/in dieses Nachweises"));
  });

  it("has built-in words in the organisation's language", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    // No name or label contains the letters of "öffnen" and of "WIDERRUFEN".
    await sql(`UPDATE organisations SET name = 'Institute', locale = 'de-DE' WHERE id = $1`, [w.orgId]);
    await sql(`UPDATE credentials SET code = '0000111122224444' WHERE org_id = $1`, [w.orgId]);
    const valid = charactersOf((await pdfOf(w, credential.id)).bytes);
    expect([valid.has("ö"), valid.has("W")]).toEqual([true, false]);
    await revokeCredential(w.ctx, { id: credential.id, reason: "Plagiarism" });
    const revoked = charactersOf((await pdfOf(w, credential.id)).bytes);
    expect([..."WIDERRUFEN"].filter((letter) => !revoked.has(letter))).toEqual([]);
  });

  it("is the same file for anyone who has the code, if the page shows its content", async () => {
    const w = await world();
    const { credential } = await degree(w.ctx);
    const answer = await call("GET", `/public/credentials/${credential.code}/credential.pdf`);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    expect(Buffer.compare(answer.bytes, (await pdfOf(w, credential.id)).bytes)).toBe(0);
    const hidden = await publishedTemplate(w.ctx, { kind: "academic", design: { publicName: false } });
    const { code } = await issued(w.ctx, hidden.id);
    expect((await call("GET", `/public/credentials/${code}/credential.pdf`)).status).toBe(404);
  });

  it("is refused for other kinds and tokens without the scope, and gone after the holder was erased", async () => {
    const w = await world();
    const card = await issued(w.ctx, (await publishedTemplate(w.ctx)).id);
    expect((await pdfOf(w, card.id)).status).toBe(409);
    const { credential } = await degree(w.ctx);
    const path = `/v1/credentials/${credential.id}/credential.pdf`;
    expect((await call("GET", path, { token: await w.key("subjects:read") })).status).toBe(403);
    await eraseSubject(w.ctx, { id: credential.subjectId, reason: "Asked", includeAcademic: true });
    expect((await pdfOf(w, credential.id)).status).toBe(410);
    expect((await call("GET", `/public/credentials/${credential.code}/credential.pdf`)).status).toBe(410);
  });
});
