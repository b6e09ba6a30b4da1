import { describe, expect, it } from "vitest";
import { unsignedWords } from "@/server/standards/verify/unsigned";
import { decisionLook } from "./decision-looks";
import type { Judged } from "./decision-words";

const check = (name: string, outcome: "pass" | "fail" | "skipped") => ({ name, outcome, detail: "" });
const looked = (
  verification: Pick<Judged, "result" | "reason" | "checks">,
  issuer: Partial<Judged["credential"]["issuer"]> = { nameVerified: true },
  kind: Judged["credential"]["kind"] = "membership",
) =>
  decisionLook({
    ...verification,
    credential: { kind, issuer: { nameVerified: false, domainVerified: false, ...issuer } },
  });
const malformed = (...checks: ReturnType<typeof check>[]) => looked({ result: "invalid", reason: "malformed", checks });
const red = /0\.19_26/;

describe("what could not be read", () => {
  it("is neutral, because nothing failed", () => {
    const { word, tone } = malformed(check("format", "fail"));
    expect(word).toBe("This is not something that can be checked here");
    expect(tone).not.toMatch(red);
  });

  it("is called signed if its signature is valid but a term is not defined", () => {
    const { word, tone } = malformed(check("format", "pass"), check("signature", "pass"), check("vocabulary", "fail"));
    expect(word).toBe("Signed, but not sound");
    expect(tone).not.toMatch(red);
  });

  it("is red if another check failed as well", () => {
    const { word, tone } = malformed(check("signature", "pass"), check("vocabulary", "fail"), check("status", "fail"));
    expect(word).toBe("Not valid");
    expect(tone).toMatch(red);
  });
});

it("a valid credential in an unconfirmed name differs from a confirmed one in colour, icon and brief word", () => {
  const valid = { result: "valid" as const, reason: null, checks: [] };
  const confirmed = looked(valid);
  for (const kind of ["external", "membership"] as const) {
    const unconfirmed = looked(valid, {}, kind);
    expect([confirmed.word, unconfirmed.word]).toEqual(["Valid", "Valid, issuer not confirmed"]);
    expect(unconfirmed.meaning).toContain("nobody confirms who the issuer is");
    expect(unconfirmed.tone).not.toBe(confirmed.tone);
    expect(unconfirmed.icon).not.toBe(confirmed.icon);
  }
  const revoked = { result: "invalid" as const, reason: "revoked" as const, checks: [] };
  expect(looked(revoked, {})).toEqual(looked(revoked));
});

it("a wrong signature is red", () => {
  const { word, tone } = looked({ result: "invalid", reason: "signature_invalid", checks: [] });
  expect(word).toBe("Not valid");
  expect(tone).toMatch(red);
});

it("an unsigned document is called unsigned, not wrongly signed", () => {
  const { word, tone } = looked({
    result: "invalid",
    reason: "signature_invalid",
    checks: [{ name: "signature", outcome: "fail", detail: unsignedWords }],
  });
  expect(word).toBe("Not signed");
  expect(tone).toMatch(red);
});

it("does not suggest another try if only the issuer can say what it issued", () => {
  const { word, meaning } = looked({
    result: "indeterminate",
    reason: null,
    checks: [{ name: "content", outcome: "error", detail: "" }],
  });
  expect(word).toBe("Not certain");
  expect(meaning).toContain("checking again does not help");
});

it("does not suggest another try if the vocabulary of a credential is not known here", () => {
  const looks = (name: string) =>
    looked({ result: "indeterminate", reason: null, checks: [{ name, outcome: "error", detail: "" }] }).meaning;
  expect(looks("status")).toContain("Try again");
  for (const name of ["signature", "vocabulary"]) {
    expect(looks(name)).not.toContain("Try again");
    expect(looks(name)).toContain("does not know the vocabulary");
  }
});
