import { expect, it } from "vitest";
import { offlineLook } from "./offline-look";

it("a signed QR code of an unconfirmed issuer differs in colour, icon and word", () => {
  const now = new Date("2026-11-23T10:00:00Z");
  const looked = (nameVerified: boolean) =>
    offlineLook(
      {
        result: "valid",
        reason: null,
        statement: null,
        issuer: { slug: "northwind", name: "Northwind", nameVerified, keptAt: now.toISOString() },
        named: "northwind",
      },
      now,
      { timeZone: "UTC", locale: "en-GB" },
    );
  const [confirmed, unconfirmed] = [looked(true), looked(false)];
  expect(unconfirmed.word).toContain("issuer not confirmed");
  expect(unconfirmed.meaning[0]).toContain("Nobody confirms who the issuer is");
  for (const part of ["word", "icon", "tone"] as const) expect(unconfirmed[part]).not.toBe(confirmed[part]);
});
