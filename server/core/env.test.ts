import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
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

it("refuses a PUBLIC_URL with a user or password, which QR codes would show", () => {
  expect(() => hostOf({ PUBLIC_URL: "https://ada:secret@example.edu" })).toThrow(/PUBLIC_URL: must have no user/);
});

it.each([
  ["HTTPS://Example.edu:443/", "https://example.edu"],
  ["http://localhost:3000", "http://localhost:3000"],
])("reads PUBLIC_URL as the origin that browsers send: %s", (given, origin) => {
  const read = parseEnv({ DATABASE_URL: "postgresql://db/x", BONAFIDE_SECRET: "s".repeat(32), PUBLIC_URL: given });
  expect(read.PUBLIC_URL).toBe(origin);
  expect(read.HOST).toBe(origin.startsWith("https://") ? "0.0.0.0" : "127.0.0.1");
});

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

it.each([
  ["SMTP_URL", "smtp://bonafide:50%off@mail.example.edu:587", "has a user or password that cannot be decoded"],
  ["RETENTION_EVENTS_DAYS", "999999999", "must be 36500 or less"],
  ["RETENTION_ATTEMPTS_DAYS", "999999999", "must be 36500 or less"],
  ["RETENTION_SECURITY_DAYS", "999999999", "must be 36500 or less"],
  ["INNGEST_BASE_URL", "inngest.example.edu:8288", "must be a URL such as"],
  ["METRICS_TOKEN", "sixteen-letters-é", "must have only letters, digits and signs of ASCII"],
])("refuses at the start what would fail only in a job or request: %s=%s", (name, value, problem) => {
  expect(() => hostOf({ PUBLIC_URL: "http://localhost:3000", [name]: value })).toThrow(`${name}: ${problem}`);
});

it("accepts a percent-encoded password of the mail server", () => {
  const mail = { SMTP_URL: "smtp://bonafide:50%25off@mail.example.edu", MAIL_FROM: "a@example.edu" };
  expect(() => hostOf({ PUBLIC_URL: "http://localhost:3000", ...mail })).not.toThrow();
});

it.each(["SMTP_CA", "APPLE_PUSH_CA", "GOOGLE_CA"])(
  "refuses at the start a file of certificate authorities that is missing, empty or damaged: %s",
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), "authorities-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const refusalOf = (content: string | undefined) => () => {
      const path = join(folder, "ca.pem");
      if (content !== undefined) writeFileSync(path, content);
      hostOf({ PUBLIC_URL: "http://localhost:3000", [name]: path });
    };
    const whole = rootCertificates[0]!;
    expect(refusalOf(undefined)).toThrow(new RegExp(`${name}: the file .* cannot be read \\(ENOENT\\)`));
    expect(refusalOf("no certificate")).toThrow(`${name}: the file`);
    expect(refusalOf(`${whole}\n${whole.slice(0, 200)}`)).toThrow("holds a certificate that is damaged");
    expect(refusalOf(`Our authority:\n${whole}\n${whole}\n`)).not.toThrow();
  },
);
