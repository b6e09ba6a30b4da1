import { describe, expect, it } from "vitest";
import { readScan } from "./read-scan";

const own = ["bonafide.example.org", "localhost:3000"];
const code = "7Q2M0X4K9VTBC31E";

describe("readScan", () => {
  it.each([
    "7Q2M-0X4K-9VTB-C31E",
    " 7q2mOx4k9vtbc3le ",
    "https://bonafide.example.org/c/7Q2M-0X4K-9VTB-C31E",
    "HTTPS://BONAFIDE.EXAMPLE.ORG/C/7Q2M-0X4K-9VTB-C31E",
    "bonafide.example.org/c/7q2m0x4k9vtbc31e/",
    "http://localhost:3000/c/7Q2M-0X4K-9VTB-C31E?utm_source=mail#top",
    "https://bonafide.example.org/verify?code=7Q2M-0X4K-9VTB-C31E",
    "https://bonafide.example.org/public/credentials/7Q2M-0X4K-9VTB-C31E",
    "https://bonafide.example.org/public/credentials/7Q2M-0X4K-9VTB-C31E/credential.pdf",
    "\u200Ehttps://bonafide.example.org/c/7Q2M-0X4K-9VTB-C31E\u202C",
    "HTTPS://BONAFIDE.EXAMPLE.ORG/VERIFY?CODE=7Q2M-0X4K-9VTB-C31E",
    "Code: 7Q2M-0X4K-9VTB-C31E",
    "code:7q2m0x4k9vtbc31e",
    "7Q2M-0X4K-9VTB-C31E.",
    "“7Q2M-0X4K-9VTB-C31E”",
    "'7Q2M-0X4K-9VTB-C31E',",
    "７Ｑ２Ｍ－０Ｘ４Ｋ－９ＶＴＢ－Ｃ３１Ｅ",
    'Code: "7Q2M-0X4K-9VTB-C31E"',
    "See http://localhost:3000/c/7Q2M-0X4K-9VTB-C31E",
    "See https://bonafide.example.org/c/7Q2M-0X4K-9VTB-C31E.",
    "<https://bonafide.example.org/c/7Q2M-0X4K-9VTB-C31E>",
    "“bonafide.example.org/c/7Q2M-0X4K-9VTB-C31E”",
  ])("finds the code in %s", (text) => {
    expect(readScan(text, own)).toEqual({ kind: "code", code });
  });

  it("finds the signed statement after the # of a link, and in no other fragment", () => {
    const statement = "2KCEJKQBGIAT".repeat(20);
    const link = "HTTPS://BONAFIDE.EXAMPLE.ORG/C/7Q2M-0X4K-9VTB-C31E";
    expect(readScan(`${link}#${statement}`, own)).toEqual({ kind: "code", code, statement });
    expect(readScan(`${link}#${statement.slice(0, 99)}`, own)).toEqual({ kind: "code", code });
    expect(readScan(`${link}#${statement}-1`, own)).toEqual({ kind: "code", code });
    expect(readScan(`https://evil.example/c/7Q2M-0X4K-9VTB-C31E#${statement}`, own)).toMatchObject({ kind: "foreign" });
  });

  it.each([
    ["https://evil.example/c/7Q2M-0X4K-9VTB-C31E", "evil.example"],
    ["https://bonafide.example.org.evil.example/c/7Q2M-0X4K-9VTB-C31E", "bonafide.example.org.evil.example"],
    ["https://bonafide.example.org@evil.example/c/7Q2M-0X4K-9VTB-C31E", "evil.example"],
    ["See https://evil.example/c/7Q2M-0X4K-9VTB-C31E.", "evil.example"],
    ["http://localhost:4000/c/7Q2M-0X4K-9VTB-C31E", "localhost:4000"],
  ])("says that %s leads to %s", (text, host) => {
    expect(readScan(text, own)).toEqual({ kind: "foreign", host });
  });

  it.each([
    "eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJkaWQifQ.c2ln",
    " eyJhbGciOiJFZERTQSJ9\n.eyJpc3MiOiJkaWQifQ.c2ln",
    '{"@context": ["https://www.w3.org/ns/credentials/v2"]}',
    `{ "id": "${"x".repeat(5_000)}"`,
  ])("hands over a credential itself (%#)", (text) => {
    expect(readScan(text, own)).toEqual({ kind: "document", text });
  });

  it.each([
    "",
    "hello",
    "WIFI:S:home;T:WPA;P:secret;;",
    "https://bonafide.example.org/",
    "https://bonafide.example.org/c/nothing",
    "javascript://localhost:3000/c/7Q2M0X4K9VTBC31E",
    "https://",
    "//",
  ])("finds no code in %s", (text) => {
    expect(readScan(text, own)).toEqual({ kind: "unreadable" });
  });
});
