import { describe, expect, it } from "vitest";
import { checkIssuerIdentity } from "./check-issuer-identity";

describe("what the signing key proves about the issuer", () => {
  it.each(["did:web:university.example", "https://university.example/", "https://university.example/.well-known/x"])(
    "is the domain of %s, and not its name",
    (issuer) => {
      const { outcome, detail } = checkIssuerIdentity(issuer);
      expect(outcome).toBe("pass");
      expect(detail).toContain("whoever runs university.example issued it");
      expect(detail).toContain("The key does not prove the issuer’s name.");
    },
  );

  it.each(["did:web:university.example:~student", "https://university.example/~student/issuer.json"])(
    "is only an address for %s, which need not speak for the domain",
    (issuer) => {
      const { outcome, detail } = checkIssuerIdentity(issuer);
      expect(outcome).toBe("pass");
      expect(detail).toContain("need not speak for university.example");
    },
  );

  it.each(["did:key:z6Mk", "did:jwk:e30"])("is nothing for %s, so the check is skipped", (issuer) => {
    expect(checkIssuerIdentity(issuer)).toMatchObject({
      name: "issuer_identity",
      outcome: "skipped",
      detail: expect.stringContaining("Anyone can make such a key"),
    });
  });
});
