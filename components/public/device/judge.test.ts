import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { writeClaims, type Statement } from "@/server/credentials/statement";
import { keyIdOf } from "@/server/issuers/statement-keys";
import { signedBytes, type Sign1 } from "@/server/standards/cose/sign1";
import { decodeMultibase } from "@/server/standards/encoding/multibase";
import { writeMultikey } from "@/server/standards/encoding/multikey";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import type { KeptIssuer } from "./issuers";
import { judge } from "./judge";

const now = new Date("2026-11-23T10:00:00Z");
const key = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");
const statement: Statement = {
  issuer: "northwind",
  code: "7Q2M0X4K9VTBC31E",
  kind: "student_id",
  title: "Student card",
  name: "Ada Lovelace",
  index: 77_321,
  validFrom: new Date("2026-09-01T00:00:00Z"),
  issuedAt: null,
  expiresAt: new Date("2027-10-01T00:00:00Z"),
};

const multikey = ({ publicKey }: { publicKey: KeyObject }) => writeMultikey(publicKey);

function signed(some: Partial<Statement> = {}, by = key.privateKey, kidOf = key): Sign1 {
  const payload = writeClaims({ ...statement, ...some });
  const kid = keyIdOf(decodeMultibase(multikey(kidOf)));
  return { kid, payload, signature: sign(null, signedBytes({ kid, payload }), by) };
}

function list(set: number[], validUntil = "2026-11-25T00:00:00Z") {
  const bits = Bitstring.ofLength(minEntries);
  for (const index of set) bits.set(index, true);
  return { validUntil, encodedList: bits.encode() };
}

function issuer(some: Partial<KeptIssuer> = {}): KeptIssuer {
  return {
    slug: "northwind",
    name: "Northwind University",
    nameVerified: true,
    keptAt: "2026-11-23T08:00:00Z",
    keys: [{ publicKeyMultibase: multikey(key), status: "active" }],
    lists: { revocation: list([]), suspension: list([]) },
    ...some,
  };
}

const decided = async (given: Sign1, kept: KeptIssuer | undefined, code = statement.code) => {
  const decision = await judge(given, code, async (slug) => (slug === "northwind" ? kept : undefined), now);
  return { result: decision?.result, reason: decision?.reason, shown: decision?.statement?.name };
};
const shown = "Ada Lovelace";

describe("a signed QR code without a connection", () => {
  it("is accepted if a known key signed it and neither list contains it", async () => {
    expect(await decided(signed(), issuer())).toEqual({ result: "valid", reason: null, shown });
  });

  it("is accepted with a key that was retired since", async () => {
    const keys = [
      { publicKeyMultibase: multikey(other), status: "active" as const },
      { publicKeyMultibase: multikey(key), status: "retired" as const },
    ];
    expect(await decided(signed(), issuer({ keys }))).toEqual({ result: "valid", reason: null, shown });
  });

  it("is revoked or suspended if the list says so, but not if the bit of another credential is set", async () => {
    const empty = list([]);
    const own = list([77_321]);
    const others = list([77_320, 77_322]);
    const by = async (revocation: typeof empty, suspension: typeof empty) =>
      decided(signed(), issuer({ lists: { revocation, suspension } }));
    expect(await by(own, empty)).toEqual({ result: "invalid", reason: "revoked", shown });
    expect(await by(empty, own)).toEqual({ result: "invalid", reason: "suspended", shown });
    expect(await by(own, own)).toEqual({ result: "invalid", reason: "revoked", shown });
    expect(await by(others, others)).toEqual({ result: "valid", reason: null, shown });
  });

  it.each(["revocation", "suspension"] as const)("is undecided if the list of %s is no longer valid", async (old) => {
    const lists = { revocation: list([]), suspension: list([]), [old]: list([], "2026-11-23T10:00:00Z") };
    expect(await decided(signed(), issuer({ lists }))).toEqual({
      result: "indeterminate",
      reason: "old_lists",
      shown,
    });
  });

  it("is revoked even by an outdated list, because a revocation is final", async () => {
    const lists = { revocation: list([77_321], "2026-01-01T00:00:00Z"), suspension: list([]) };
    expect(await decided(signed(), issuer({ lists }))).toMatchObject({ result: "invalid", reason: "revoked" });
  });

  it("is undecided if it is newer than the lists", async () => {
    expect(await decided(signed({ index: minEntries }), issuer())).toMatchObject({
      result: "indeterminate",
      reason: "newer_than_lists",
    });
  });

  it("is undecided for an issuer or key that this device does not know, and shows no holder", async () => {
    const nothing = { result: "indeterminate", shown: undefined };
    expect(await decided(signed(), undefined)).toEqual({ ...nothing, reason: "unknown_issuer" });
    expect(await decided(signed({}, other.privateKey, other), issuer())).toEqual({ ...nothing, reason: "unknown_key" });
  });

  it("is not genuine if another key signed it under the key's id, or if the link has another code", async () => {
    const nothing = { result: "invalid", reason: "forged", shown: undefined };
    expect(await decided(signed({}, other.privateKey), issuer())).toEqual(nothing);
    expect(await decided(signed(), issuer(), "0000000000000000")).toEqual(nothing);
    const { payload } = signed({ name: "Somebody Else" });
    expect(await decided({ ...signed(), payload }, issuer())).toEqual(nothing);
  });

  it("is refused if the issuer revoked the key", async () => {
    const keys = [{ publicKeyMultibase: multikey(key), status: "revoked" as const }];
    expect(await decided(signed(), issuer({ keys }))).toEqual({
      result: "invalid",
      reason: "withdrawn_key",
      shown: undefined,
    });
  });

  it("is refused before its beginning and after its end", async () => {
    expect(await decided(signed({ expiresAt: now }), issuer())).toMatchObject({ reason: "expired" });
    expect(await decided(signed({ expiresAt: new Date(now.getTime() + 1_000) }), issuer())).toMatchObject({
      reason: null,
    });
    expect(await decided(signed({ validFrom: new Date(now.getTime() + 1_000) }), issuer())).toMatchObject({
      reason: "not_yet_valid",
    });
  });

  it("is null if the payload is not a statement", async () => {
    const payload = new Uint8Array([0xa0]);
    expect(await judge({ ...signed(), payload }, statement.code, async () => issuer(), now)).toBeNull();
  });
});
