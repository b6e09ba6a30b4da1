import { describe, expect, it } from "vitest";
import { validityOf } from "@/server/standards/verify/check-validity";
import { concluded } from "./decide";
import { foreignView } from "./foreign-view";

const now = new Date("2026-06-01T00:00:00Z");

function issuerNamed(id: string) {
  const checks = [{ name: "signature" as const, outcome: "pass" as const, detail: "" }];
  return foreignView(
    { checks, document: { issuer: { id, name: "Northwind University" } }, validity: validityOf({}) },
    concluded(checks),
    [],
    now,
  ).credential.issuer;
}

describe("the domain of an issuer", () => {
  it.each([
    ["did:web:university.example", "university.example"],
    ["did:web:university.example%3A8443", "university.example:8443"],
    ["https://university.example/", "university.example"],
    ["https://university.example/.well-known/issuer.json", "university.example"],
  ])("is verified for %s, which only its owner can publish", (id, domain) => {
    expect(issuerNamed(id)).toMatchObject({ did: id, domain, domainVerified: true });
  });

  it.each([
    "https://university.example/uploads/student/cv.json",
    "did:web:university.example:~student",
    "https://university.example/.well-known/../uploads/cv.json",
    "https://university.example@evil.example/x",
    "did:key:z6Mk",
    "urn:x",
  ])("is not proven by %s", (id) => {
    expect(issuerNamed(id)).toMatchObject({ did: id, domain: null, domainVerified: false });
  });
});
