import { crc32 } from "node:zlib";
import PDFDocument from "pdfkit";
import { describe, expect, it } from "vitest";
import { bakePng } from "@/server/standards/baking/png";
import { bakeSvg } from "@/server/standards/baking/svg";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { badge } from "@/server/standards/testing/issuer";
import { call } from "@/server/testing/request";
import { issuer, sign, token, served, withStatus, serveForeignIssuer } from "@/server/testing/foreign-issuer";

serveForeignIssuer();

/** A PDF with attachments. */
async function pdfWith(...attached: (string | Buffer)[]): Promise<Buffer> {
  const doc = new PDFDocument();
  const pieces: Uint8Array[] = [];
  doc.on("data", (piece: Uint8Array) => pieces.push(piece));
  const ended = new Promise((resolve) => doc.on("end", resolve));
  attached.forEach((content, index) => doc.file(Buffer.from(content), { name: `${index}.json` }));
  doc.end();
  await ended;
  return Buffer.concat(pieces);
}

// One pixel.
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A PNG of one pixel with a chunk more. */
function pngWith(type: string, text: string): Buffer {
  const data = Buffer.from(type + text, "latin1");
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  // Behind the signature and the header.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

describe("a file", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
  const oldSvg =
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:openbadges="http://openbadges.org"><openbadges:assertion verify="https://issuer.example/1"/></svg>';
  const oldPng = pngWith("tEXt", "openbadges\0https://issuer.example/1");
  const ways = [
    (bytes: Uint8Array, type: string) =>
      call("POST", "/public/verify", { raw: bytes as BodyInit, headers: { "content-type": type } }),
    (bytes: Uint8Array, type: string) =>
      call("POST", "/v1/verify", { token, raw: bytes as BodyInit, headers: { "content-type": type } }),
    async (bytes: Uint8Array, type: string) => {
      const form = new FormData();
      form.set("file", new Blob([bytes as BlobPart], { type }), "badge");
      const encoded = new Response(form);
      return call("POST", "/public/verify", {
        raw: await encoded.arrayBuffer(),
        headers: { "content-type": encoded.headers.get("content-type")! },
      });
    },
  ];

  it("in any form is undecided, and not valid, while its issuer or its list cannot be reached", async () => {
    served.list = undefined;
    const unreached = [
      [JSON.stringify(await sign({}, badge("did:web:localhost%3A1"))), "issuer", "issuer_unknown"],
      [JSON.stringify(await withStatus()), "status", "status_unavailable"],
    ] as const;
    for (const [text, name, reason] of unreached)
      for (const [bytes, type] of [
        [bakePng(png, text), "image/png"],
        [Buffer.from(bakeSvg(svg, text)), "image/svg+xml"],
        [Buffer.from(text), "application/vc"],
      ] as const)
        for (const send of ways)
          expect((await send(bytes, type)).json()).toMatchObject({
            result: "indeterminate",
            reason,
            checks: expect.arrayContaining([expect.objectContaining({ name, outcome: "error" })]),
          });
  });

  it("that is a baked PNG or SVG, JSON or a JWT is verified, as a body and as a form, for anyone and with a token", async () => {
    const signed = JSON.stringify(await sign());
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    const files: [Uint8Array, string][] = [
      [bakePng(png, signed), "image/png"],
      [bakePng(png, jwt), "image/png"],
      [Buffer.from(bakeSvg(svg, signed)), "image/svg+xml"],
      [Buffer.from(bakeSvg(svg, jwt)), "image/svg+xml"],
      [Buffer.from(signed), "application/vc"],
      [Buffer.from(jwt), "application/vc+jwt"],
      [await pdfWith(signed), "application/pdf"],
      [await pdfWith(jwt), "application/pdf"],
    ];
    for (const [bytes, type] of files)
      for (const send of ways)
        expect((await send(bytes, type)).json()).toMatchObject({
          result: "valid",
          credential: { title: "Bachelor of Science" },
        });
  });

  it("is malformed if it is a PDF with two credentials, or with one that inflates beyond all bounds", async () => {
    const two = await pdfWith(JSON.stringify(badge(issuer.did)), JSON.stringify(badge(issuer.did, { name: "Other" })));
    const bomb = await pdfWith(`${JSON.stringify(badge(issuer.did))}${" ".repeat(50_000_000)}`);
    for (const send of ways) {
      const reasonOf = async (bytes: Uint8Array) => (await send(bytes, "application/pdf")).json();
      const malformed = (words: RegExp) => ({ reason: "malformed", reasonText: expect.stringMatching(words) });
      expect(await reasonOf(two)).toMatchObject(malformed(/More than one/));
      expect(await reasonOf(bomb)).toMatchObject(malformed(/No signed credential is attached/));
    }
  });

  it.each<[string, Uint8Array, string, RegExp]>([
    ["a picture without a credential", png, "image/png", /holds no credential/],
    ["an SVG without a credential", Buffer.from(svg), "image/svg+xml", /holds no credential/],
    ["bytes that are nothing", Buffer.from([0xff, 0xfe, 0x00]), "image/png", /no picture.*save it as UTF-8/],
    ["a photo", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "image/png", /only a PNG or an SVG can/],
    ["a PDF without one", Buffer.from("%PDF-1.7\n"), "application/pdf", /attached to this PDF.*credential\.json/],
    ["empty but for a line end", Buffer.from("\n"), "application/vc", /is empty/],
    ["an SD-JWT", Buffer.from("eyJhbGciOiJFUzI1NiJ9.e30.c2ln~WyJhIl0~"), "application/vc", /SD-JWT/],
    [
      "a presentation",
      Buffer.from('{"@context":["https://www.w3.org/ns/credentials/v2"],"type":"VerifiablePresentation"}'),
      "application/vc",
      /presentation.*the credential within/,
    ],
    [
      "an Open Badge 2.0",
      Buffer.from('{"@context":"https://w3id.org/openbadges/v2","type":"Assertion","id":"https://issuer.example/1"}'),
      "application/vc",
      /version 2\.0 or earlier.*issuer’s own page/,
    ],
    ["an SVG of Open Badges 2.0", Buffer.from(oldSvg), "image/svg+xml", /version 2\.0 or earlier/],
    ["a PNG of Open Badges 2.0", oldPng, "image/png", /version 2\.0 or earlier/],
  ])("that is %s is malformed, in words", async (_, bytes, type, words) => {
    for (const send of ways)
      expect((await send(bytes, type)).json()).toMatchObject({
        result: "invalid",
        reason: "malformed",
        reasonText: expect.stringMatching(words),
      });
  });

  it("that Windows saved as UTF-16 is verified", async () => {
    const text = `\uFEFF${JSON.stringify(await sign())}`;
    for (const bytes of [Buffer.from(text, "utf16le"), Buffer.from(text, "utf16le").swap16()])
      expect((await ways[0]!(bytes, "application/vc")).json()).toMatchObject({ result: "valid" });
  });

  it("of another type, or larger than 10 MiB, is refused", async () => {
    for (const path of ["/public/verify", "/v1/verify"]) {
      expect((await call("POST", path, { token, raw: "x", headers: { "content-type": "text/plain" } })).status).toBe(
        415,
      );
      expect(
        (
          await call("POST", path, {
            token,
            raw: new Uint8Array(10 * 1024 * 1024 + 1),
            headers: { "content-type": "image/png" },
          })
        ).status,
      ).toBe(413);
    }
  });
});
