import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bakePng, isPng, readBakedPng } from "./png";
import { bakeSvg, isSvg, readBakedSvg } from "./svg";

const jwt = "eyJhbGciOiJFZERTQSJ9.eyJhIjoxfQ.AAAA";

function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  whole.writeUInt32BE(data.length, 0);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  return whole;
}
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const header = chunk("IHDR", Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
const png = (...extra: Buffer[]) =>
  Buffer.concat([
    signature,
    header,
    ...extra,
    chunk("IDAT", deflateSync(Buffer.from([0, 0]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
const text = (keyword: string, rest: string) => chunk("iTXt", Buffer.from(`${keyword}\0${rest}`));

describe("PNG", () => {
  it("returns any baked credential, holds only the last one, and stays a valid PNG", () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (first, second) => {
        const baked = bakePng(bakePng(png(), first), second);
        expect(readBakedPng(baked)).toBe(second.trim());
        expect(baked.toString("latin1").split("openbadgecredential")).toHaveLength(2);
        expect(isPng(baked)).toBe(true);
      }),
    );
  });

  it("holds the credential in an uncompressed iTXt chunk right after the header", () => {
    const baked = bakePng(png(), jwt);
    const at = signature.length + header.length;
    expect(baked.toString("latin1", at + 4, at + 8)).toBe("iTXt");
    expect(baked.toString("latin1", at + 8, at + 8 + 19 + 5)).toBe("openbadgecredential\0\0\0\0\0");
    expect(readBakedPng(baked)).toBe(jwt);
  });

  it.each<[string, Buffer, RegExp]>([
    ["no credential", png(text("Comment", "\0\0\0\0hello")), /holds no credential/],
    [
      "two credentials",
      png(text("openbadgecredential", `\0\0\0\0${jwt}`), text("openbadgecredential", `\0\0\0\0${jwt}`)),
      /more than one/,
    ],
    ["a compressed one", png(text("openbadgecredential", "\u0001\0\0\0x")), /compressed/],
    ["one without end of its head", png(text("openbadgecredential", "\0\0en")), /cut off/],
    ["a wrong checksum", Buffer.from(bakePng(png(), jwt)).fill(0x41, 60, 64), /damaged/],
    [
      "a length beyond its end",
      Buffer.concat([signature, header, Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from("iTXt")]),
      /damaged/,
    ],
    ["no end", png().subarray(0, -12), /damaged/],
    ["nothing", Buffer.alloc(0), /not a PNG/],
    ["only the signature", signature, /damaged/],
    ["a credential of 1.5 MiB", bakePng(png(), "a".repeat(3 << 19)), /too long/],
    ["20,000 chunks", png(...Array.from({ length: 20_000 }, () => chunk("tEXt", Buffer.alloc(0)))), /damaged/],
  ])("with %s is refused", (_, file, problem) => {
    expect(() => readBakedPng(file)).toThrow(problem);
  });
});

const svg =
  '<?xml version="1.0"?>\n<!-- a badge --><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4"/></svg>\n';

describe("SVG", () => {
  it("returns any baked credential, holds only the last one, and keeps the rest of the picture", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.constantFrom("]]>", "]]]]>", "<svg>", "&amp;", "ü", "]]")),
        (claims) => {
          const first = JSON.stringify({ a: 1 });
          const second = JSON.stringify(claims);
          const baked = bakeSvg(bakeSvg(svg, first), second);
          expect(readBakedSvg(baked)).toBe(second);
          expect(baked.match(/<openbadges:credential/g)).toHaveLength(1);
          expect(baked).toContain('<circle r="4"/></svg>');
          expect(isSvg(Buffer.from(baked))).toBe(true);
        },
      ),
    );
  });

  it("holds a JWT in the attribute verify", () => {
    const baked = bakeSvg(svg, jwt);
    expect(baked).toContain(
      `<openbadges:credential xmlns:openbadges="https://purl.imsglobal.org/ob/v3p0" verify="${jwt}"/>`,
    );
    expect(readBakedSvg(baked)).toBe(jwt);
  });

  it("is baked if its root is empty, and read if the namespace has another prefix", () => {
    expect(readBakedSvg(bakeSvg('<svg xmlns="http://www.w3.org/2000/svg" />', "{}"))).toBe("{}");
    expect(
      readBakedSvg(
        '<svg xmlns:ob="https://purl.imsglobal.org/ob/v3p0"><g><ob:credential>{"a":1}</ob:credential></g></svg>',
      ),
    ).toBe('{"a":1}');
  });

  it("may embed a picture of several megabytes", () => {
    expect(readBakedSvg(bakeSvg(`<svg><image href="data:image/png;base64,${"A".repeat(3 << 20)}"/></svg>`, jwt))).toBe(
      jwt,
    );
  });

  it.each<[string, string, RegExp]>([
    ["no credential", svg, /holds no credential/],
    [
      "one of another namespace",
      '<svg xmlns:openbadges="https://evil.example"><openbadges:credential verify="x"/></svg>',
      /holds no credential/,
    ],
    ["one in a comment", "<svg><!-- <openbadges:credential verify='x'/> --></svg>", /holds no credential/],
    [
      "two",
      '<svg xmlns:o="https://purl.imsglobal.org/ob/v3p0"><o:credential verify="a"/><o:credential verify="b"/></svg>',
      /more than one/,
    ],
    ["another root", "<html/>", /not an SVG/],
    ["broken XML", "<svg><g></svg>", /damaged/],
    ["an entity of its own", '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>', /damaged/],
    ["nothing", "", /not an SVG|damaged/],
    [
      "40,000 open elements",
      `<svg xmlns:o="https://purl.imsglobal.org/ob/v3p0">${"<a>".repeat(40_000)}`,
      /too complex/,
    ],
    ["40,000 elements side by side", `<svg>${"<a/>".repeat(40_000)}</svg>`, /too complex/],
    ["3 MiB of text", `<svg><desc>${"a".repeat(3 << 20)}</desc></svg>`, /too complex/],
    [
      "a credential of 1.5 MiB",
      `<svg xmlns:o="https://purl.imsglobal.org/ob/v3p0"><o:credential>${"a".repeat(3 << 19)}</o:credential></svg>`,
      /too long/,
    ],
  ])("with %s is refused", (_, file, problem) => {
    expect(() => readBakedSvg(file)).toThrow(problem);
  });
});
