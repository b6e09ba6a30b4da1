import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signedBytes, type Sign1 } from "@/server/standards/cose/sign1";
import { fragmentOf, readClaims, readFragment, writeClaims, type Statement } from "./statement";

const statement: Statement = {
  issuer: "northwind",
  code: "7Q2M0X4K9VTBC31E",
  kind: "student_id",
  title: "Student card",
  name: "Ada Lovelace",
  index: 77_321,
  validFrom: new Date("2026-09-01T00:00:00Z"),
  issuedAt: new Date("2026-08-20T09:30:00Z"),
  expiresAt: new Date("2027-10-01T00:00:00Z"),
};
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The secret key of RFC 8032, section 7.1, test 1, so that everyone can reproduce the bytes. */
const seed = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex");
const pkcs8 = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]);
const key = { key: pkcs8, format: "der", type: "pkcs8" } as const;
const publicKey = createPublicKey(createPrivateKey(key));
const kid = new Uint8Array([0xd7, 0x5a, 0x98, 0x01]);

function signed(payload: Uint8Array): Sign1 {
  const signature = sign(null, signedBytes({ kid, payload }), key);
  return { kid, payload, signature };
}

/** Verifies with a Sig_structure that this test builds byte by byte, without the code under test. */
function isGenuine({ payload, signature }: Sign1): boolean {
  const header = Buffer.from("a201320444d75a9801", "hex");
  const length =
    payload.length < 24
      ? [0x40 + payload.length]
      : payload.length < 256
        ? [0x58, payload.length]
        : [0x59, payload.length >> 8, payload.length & 255];
  const structure = Buffer.concat([
    Buffer.from([0x84, 0x6a]),
    Buffer.from("Signature1"),
    Buffer.from([0x40 + header.length]),
    header,
    Buffer.from([0x40]),
    Buffer.from(length),
    payload,
  ]);
  return verify(null, structure, publicKey, signature);
}

describe("the claims of a signed QR code", () => {
  it("are these bytes, in the numbers of RFC 8392 and one private claim", () => {
    expect(hex(writeClaims(statement))).toBe(
      // {1: "northwind", 2: "7Q2M0X4K9VTBC31E", 4: 1822348800, 5: 1788220800, 6: 1787218200, -65537: {1: 3, 2: "Student card", 3: "Ada Lovelace", 4: 77321}}
      "a60169" +
        hex(Buffer.from("northwind")) +
        "0270" +
        hex(Buffer.from("7Q2M0X4K9VTBC31E")) +
        "041a6c9ed600" +
        "051a6a961580" +
        "061a6a86c918" +
        "3a00010000" +
        "a401030" +
        "26c" +
        hex(Buffer.from("Student card")) +
        "036c" +
        hex(Buffer.from("Ada Lovelace")) +
        "041a00012e09",
    );
  });

  it("are read back unchanged, with and without an end and a name", () => {
    for (const each of [
      statement,
      { ...statement, name: "", issuedAt: null, expiresAt: null, kind: "academic" as const },
    ])
      expect(readClaims(writeClaims(each))).toEqual(each);
  });

  it("cut a long name after a whole character, so that the code stays readable", () => {
    const { name, title } = readClaims(writeClaims({ ...statement, name: "👩‍🎓".repeat(20), title: "é".repeat(100) }))!;
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(64);
    expect(name).toBe(`${"👩‍🎓".repeat(5)}…`);
    expect(title).toBe(`${"é".repeat(30)}…`);
  });

  it.each([
    ["nothing", ""],
    ["an array", "80"],
    ["a map without them", "a10101"],
    ["an index below zero", hex(writeClaims(statement)).replace("041a00012e09", "0420")],
    ["a kind that is unknown", hex(writeClaims(statement)).replace("a40103", "a40109")],
    ["a time that is a text", hex(writeClaims(statement)).replace("051a6a961580", "056474696d65")],
    ["a map with a key twice", "a2010101" + "01"],
  ])("are null for %s", (_, bytes) => {
    expect(readClaims(Buffer.from(bytes, "hex"))).toBeNull();
  });
});

describe("the fragment of a signed QR code", () => {
  it("has only letters and digits of the alphanumeric mode, and can be read after a change of case", () => {
    const fragment = fragmentOf(signed(writeClaims(statement)));
    expect(fragment).toMatch(/^[A-Z2-7]+$/);
    expect(fragment.length).toBeLessThan(340);
    const read = readFragment(fragment.toLowerCase())!;
    expect(isGenuine(read)).toBe(true);
    expect(readClaims(read.payload)).toEqual(statement);
  });

  it("is a COSE_Sign1 whose signature node:crypto verifies over a Sig_structure written by hand", () => {
    const read = readFragment(fragmentOf(signed(writeClaims(statement))))!;
    expect(isGenuine(read)).toBe(true);
    expect(hex(read.kid)).toBe("d75a9801");
  });

  it("fails if any single byte is changed in any of 255 ways", () => {
    const bytes = decoded(fragmentOf(signed(writeClaims(statement))));
    for (let at = 0; at < bytes.length; at++)
      for (let mask = 1; mask < 256; mask++) {
        const changed = Uint8Array.from(bytes);
        changed[at]! ^= mask;
        expect(isAccepted(changed), `byte ${at} changed by ${mask}`).toBe(false);
      }
  });

  it("fails if bytes are missing or added, and for random bytes", () => {
    const bytes = decoded(fragmentOf(signed(writeClaims(statement))));
    for (let length = 0; length < bytes.length; length++) expect(isAccepted(bytes.slice(0, length))).toBe(false);
    expect(isAccepted(Uint8Array.from([...bytes, 0]))).toBe(false);
    for (let n = 0; n < 500; n++) expect(isAccepted(randomBytes(n))).toBe(false);
  });

  it("fails under another key with the same key id", () => {
    const payload = writeClaims(statement);
    const other = generateKeyPairSync("ed25519").privateKey;
    const forged = { kid, payload, signature: sign(null, signedBytes({ kid, payload }), other) };
    expect(isGenuine(readFragment(fragmentOf(forged))!)).toBe(false);
  });

  it.each(["", "A", "not base32!", "A".repeat(1_001), "%", "ABC="])("is null for %j", (fragment) => {
    expect(readFragment(fragment)).toBeNull();
  });
});

function isAccepted(bytes: Uint8Array): boolean {
  const read = readFragment(base32(bytes));
  return read !== null && hex(read.kid) === hex(kid) && isGenuine(read);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, section 6, implemented for the test. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function decoded(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2));
}
