import { expect, it } from "vitest";
import { parseEnv } from "./env";

const hostOf = (more: Record<string, string>) =>
  parseEnv({ DATABASE_URL: "postgresql://db/x", BONAFIDE_SECRET: "s".repeat(32), ...more }).HOST;

it("without https the server listens only on this machine, unless HOST says otherwise", () => {
  expect(hostOf({ PUBLIC_URL: "http://localhost:3000" })).toBe("127.0.0.1");
  expect(hostOf({ PUBLIC_URL: "http://bonafide.example.edu" })).toBe("127.0.0.1");
  expect(hostOf({ PUBLIC_URL: "https://bonafide.example.edu" })).toBe("0.0.0.0");
  expect(hostOf({ PUBLIC_URL: "http://localhost:3000", HOST: "::" })).toBe("::");
});

it("a stopping server behind https accepts connections for 5 more seconds, unless DRAIN_SECONDS says otherwise", () => {
  const drainOf = (more: Record<string, string>) =>
    parseEnv({ DATABASE_URL: "postgresql://db/x", BONAFIDE_SECRET: "s".repeat(32), ...more }).DRAIN_SECONDS;
  expect(drainOf({ PUBLIC_URL: "http://localhost:3000" })).toBe(0);
  expect(drainOf({ PUBLIC_URL: "https://credentials.example.edu" })).toBe(5);
  expect(drainOf({ PUBLIC_URL: "https://credentials.example.edu", DRAIN_SECONDS: "0" })).toBe(0);
});

it.each(["https://example.edu/bonafide", "https://example.edu/?a=b", "https://example.edu#x"])(
  "refuses a PUBLIC_URL that is not the root of a host: %s",
  (url) => {
    expect(() => hostOf({ PUBLIC_URL: url })).toThrow(/PUBLIC_URL: must have no path: .*root of a host/);
  },
);

it("says in words what a value must be", () => {
  const wrong = { PUBLIC_URL: "example.edu", PORT: "http", DATABASE_POOL: "1", S3_PATH_STYLE: "yes" };
  expect(() => hostOf(wrong)).toThrow(
    [
      "The configuration is not valid:",
      "  - DATABASE_POOL: must be 4 or more",
      "  - S3_PATH_STYLE: must be one of 0, 1, true, false",
      "  - PORT: must be a number",
      "  - PUBLIC_URL: must be a URL such as https://example.edu/",
    ].join("\n"),
  );
});

it("reads registries of issuers as names with URLs, and refuses what is none", () => {
  const registriesOf = (ISSUER_REGISTRIES: string) =>
    parseEnv({
      DATABASE_URL: "postgresql://db/x",
      BONAFIDE_SECRET: "s".repeat(32),
      PUBLIC_URL: "http://localhost:3000",
      ISSUER_REGISTRIES,
    }).ISSUER_REGISTRIES;
  expect(registriesOf("")).toEqual([]);
  expect(
    registriesOf("DCC Community Registry=https://example.org/registry.json?a=b, Ministry = https://example.gov"),
  ).toEqual([
    { name: "DCC Community Registry", url: "https://example.org/registry.json?a=b" },
    { name: "Ministry", url: "https://example.gov" },
  ]);
  const eleven = Array.from({ length: 11 }, (_, i) => `R${i}=https://example.org/${i}`).join(",");
  for (const wrong of [
    "https://example.org/registry.json",
    "A=ftp://example.org",
    "A=https://a.org,A=https://b.org",
    eleven,
  ])
    expect(() => registriesOf(wrong)).toThrow(/ISSUER_REGISTRIES: must be up to ten registries/);
});

it("refuses an S3 store at an IP address without path style, since a bucket cannot come before an address", () => {
  const store = {
    S3_BUCKET: "files",
    S3_ACCESS_KEY_ID: "a",
    S3_SECRET_ACCESS_KEY: "b",
    PUBLIC_URL: "http://localhost",
  };
  for (const S3_ENDPOINT of ["http://10.0.0.7:9000", "http://[fd00::7]:9000"]) {
    expect(() => hostOf({ ...store, S3_ENDPOINT })).toThrow(/S3_ENDPOINT: is an IP address, so set S3_PATH_STYLE=1/);
    hostOf({ ...store, S3_ENDPOINT, S3_PATH_STYLE: "1" });
  }
  hostOf({ ...store, S3_ENDPOINT: "https://s3.example.edu" });
});
