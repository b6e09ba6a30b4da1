import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/server/standards/json";
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

describe("what an answer leaves out of a signed document", () => {
  const of = (document: object) => {
    const checks = [{ name: "signature" as const, outcome: "pass" as const, detail: "" }];
    return foreignView(
      { checks, document: document as JsonObject, validity: validityOf({}) },
      concluded(checks),
      [],
      now,
    ).checks;
  };
  const subject = (more: object) => ({ issuer: "did:key:z", name: "N", credentialSubject: { name: "Ada", ...more } });

  it.each<[string, object, RegExp]>([
    ["several achievements", subject({ achievement: [{ name: "PhD" }, { name: "BSc" }] }), /2 achievements/],
    ["several names of an achievement", subject({ achievement: { name: ["School", "PhD"] } }), /2 names/],
    ["several names of its own", { ...subject({}), name: ["School", "PhD"] }, /2 names/],
  ])("is said for %s", (_, document, words) => {
    expect(of(document)).toContainEqual({
      name: "content",
      outcome: "skipped",
      detail: expect.stringMatching(new RegExp(`${words.source}.*Not all that it says is shown`)),
    });
  });

  it("is not said for one name in several languages", () => {
    const names = [
      { "@value": "Degree", "@language": "en" },
      { "@value": "Abschluss", "@language": "de" },
    ];
    const checks = of({ ...subject({ achievement: [{ name: names }] }), name: names });
    expect(checks.map(({ name }) => name)).not.toContain("content");
  });

  it("names a holder who is known by an id alone, and says of a status list that it is nobody's credential", () => {
    const holder = (document: object) => of(document).find(({ name }) => name === "holder")?.detail;
    expect(holder({ issuer: "did:key:z", credentialSubject: { id: "did:example:h" } })).toMatch(/by an id alone/);
    expect(holder({ issuer: "did:key:z", credentialSubject: { degree: "x" } })).toMatch(/names no holder/);
    const list = {
      type: ["VerifiableCredential", "BitstringStatusListCredential"],
      credentialSubject: { id: "urn:l" },
    };
    expect(holder({ issuer: "did:key:z", ...list })).toMatch(/nobody's credential/);
  });
});
