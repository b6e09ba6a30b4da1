import { expect, it } from "vitest";
import { addToProfileUrl } from "./linkedin";

const credential = {
  title: "Master of Science & Arts",
  issuer: { name: "Northgate University", timeZone: "America/New_York", locale: "en-US" },
  fields: [] as { key: string; value: unknown }[],
  validFrom: "2026-07-01T02:00:00.000Z",
  expiresAt: "2030-01-01T05:00:00.000Z",
  code: "7K3M-Q9ZX-4T2B-8WNE",
  url: "https://credentials.example.edu/c/7K3M-Q9ZX-4T2B-8WNE",
};

it("fills in LinkedIn's form with months in the issuer's time zone and the last valid day", () => {
  const url = new URL(addToProfileUrl(credential));
  expect(url.origin + url.pathname).toBe("https://www.linkedin.com/profile/add");
  expect(Object.fromEntries(url.searchParams)).toEqual({
    startTask: "CERTIFICATION_NAME",
    name: "Master of Science & Arts",
    organizationName: "Northgate University",
    issueYear: "2026",
    issueMonth: "6",
    expirationYear: "2029",
    expirationMonth: "12",
    certUrl: credential.url,
    certId: credential.code,
  });
});

it("states the month of the award if that differs from the beginning", () => {
  const fields = [{ key: "awardedDate", value: "1998-07-01" }];
  const { searchParams } = new URL(addToProfileUrl({ ...credential, fields }));
  expect([searchParams.get("issueYear"), searchParams.get("issueMonth")]).toEqual(["1998", "7"]);
});

it("omits the end of a credential that does not end", () => {
  const { searchParams } = new URL(addToProfileUrl({ ...credential, expiresAt: null }));
  expect([searchParams.has("expirationYear"), searchParams.has("expirationMonth")]).toEqual([false, false]);
});
