import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { wordsFor } from "./input-words";

/**
 * All configuration, read and checked once. Nothing else reads `process.env`.
 * `npm start` sets what an operator leaves out (scripts/service/configuration.mjs): DATABASE_URL of the embedded
 * PostgreSQL, BONAFIDE_SECRET and PUBLIC_URL.
 */
const flag = z.enum(["0", "1", "true", "false"]).transform((v) => v === "1" || v === "true");
const count = (fallback: number) => z.coerce.number().int().min(0).default(fallback);
/** Some hundred years at most: a date that is too far back cannot be calculated, and then nothing would be removed. */
const retentionDays = (least: number) => z.coerce.number().int().min(least).max(36_500).default(30);
const webUrl = z.url({ protocol: /^https?$/ });
const list = z
  .string()
  .default("")
  .transform((v) =>
    v
      .split(",")
      .map((s) => s.trim())
      .filter(Boolean),
  );

/** "Name=https://…, Name=https://…": at most ten, since each is read for a verification. */
const registries = list
  .transform((entries) =>
    entries.map((entry) => {
      const [name = "", ...rest] = entry.split("=");
      return { name: name.trim(), url: rest.join("=").trim() };
    }),
  )
  .refine(
    (all) =>
      all.length <= 10 &&
      new Set(all.map(({ name }) => name)).size === all.length &&
      all.every(
        ({ name, url }) => name.length > 0 && name.length <= 80 && /^https?:\/\/[^\s/]/.test(url) && URL.canParse(url),
      ),
    "must be up to ten registries, each with a name of its own, as Name=https://example.org/registry.json, separated by commas",
  );

const schema = z.object({
  NODE_ENV: z.enum(["development", "production", "test"]).default("production"),
  /** PostgreSQL 18 or newer (RETURNING old.*), with the contrib extensions pg_trgm, unaccent and btree_gin. */
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgresql://"),
  /** Set by `npm start`: whether DATABASE_URL is the PostgreSQL that it started on this machine. */
  EMBEDDED_DATABASE: flag.default(false),
  /** Connections of one server process. */
  DATABASE_POOL: z.coerce.number().int().min(4).max(200).default(20),
  /**
   * How long a statement of a request may take, and how long a request waits for a silent database; then it gets 503.
   */
  DATABASE_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(15),
  /**
   * How long new connections are still accepted after SIGTERM, while /readyz already answers 503, so that a load
   * balancer notices. By default 5 if PUBLIC_URL is https, because then there is something in front, else 0, so that
   * Ctrl-C does not wait.
   */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).optional(),
  /** The master secret, 32 random bytes or more as text; every key in use is derived from it. */
  BONAFIDE_SECRET: z.string().min(32, "must have at least 32 characters"),
  /**
   * The previous master secret during a rotation: what it encrypted or signed is still accepted. See `npm run admin --
   * secret reencrypt`.
   */
  BONAFIDE_PREVIOUS_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  /**
   * The folder for files: photos and other blobs below blobs/ (without S3_BUCKET), unfinished uploads below uploads/.
   */
  DATA_DIR: z.string().default(".data"),
  /** Stores files in this bucket of an S3-compatible store instead. S3_ENDPOINT is that of AWS by default. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket")
    .optional(),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .transform((v) => v.replace(/\/+$/, ""))
    .optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Use https://endpoint/bucket/key instead of https://bucket.endpoint/key; MinIO and most others need it. */
  S3_PATH_STYLE: flag.default(false),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  /**
   * The address to listen on. By default all addresses if PUBLIC_URL is https, else only this machine, since passwords
   * and keys would cross the network unencrypted.
   */
  HOST: z.string().optional(),
  /** The port of the SFTP server, to which senders of connectors bring their files. Without it there is none. */
  SFTP_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** How senders reach the SFTP server, host or host:port, where that is not PUBLIC_URL's host and SFTP_PORT. */
  SFTP_PUBLIC_ADDRESS: z
    .string()
    .regex(/^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/, "must be host or host:port")
    .optional(),
  /**
   * The URL under which people and machines reach this service, at the root of its host. Read in the form in which
   * browsers send an origin: HTTPS://Example.edu:443/ is https://example.edu.
   */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .transform((v) => v.replace(/\/+$/, ""))
    .refine(
      (v) => !/^https?:\/\/[^/]*[/?#]/i.test(v),
      "must have no path: the service is served at the root of a host, such as https://credentials.example.edu",
    )
    .refine((v) => !v.includes("@"), "must have no user and password: it is printed in QR codes and sent in e-mails")
    .transform((v) => URL.parse(v)?.origin ?? v),
  /** How many proxies (hops) in front of this server are trusted to set X-Forwarded-For. */
  TRUST_PROXY: z.coerce.number().int().min(0).max(10).default(0),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info"),
  /** The most open connections of clients; further ones are closed at once. */
  MAX_CONNECTIONS: z.coerce.number().int().min(10).default(5000),
  /** The most open connections of one address, and also its most unfinished requests. 0 is off. */
  MAX_CONNECTIONS_PER_ADDRESS: count(500),
  /** The most requests a minute: of one token, and of one address on public endpoints. 0 is off. */
  RATE_LIMIT_TOKEN: count(6000),
  RATE_LIMIT_ADDRESS: count(600),
  /** CIDR ranges that outgoing requests may reach although they are private or special, e.g. "10.1.0.0/16". */
  OUTBOUND_ALLOW_CIDRS: list.refine(
    (ranges) => ranges.every((range) => ipaddr.isValidCIDR(range)),
    "must be CIDR ranges such as 10.1.0.0/16, separated by commas",
  ),
  /** Allows http without TLS for outgoing requests. Off in production by default. */
  OUTBOUND_ALLOW_HTTP: flag.optional(),
  /**
   * Registries of issuers that the operator trusts for names, in the format of the Digital Credentials Consortium. The
   * first one that lists an issuer names it.
   */
  ISSUER_REGISTRIES: registries,
  /** A real Inngest server instead of the embedded engine: all three, or none. */
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: z.string().optional(),
  INNGEST_BASE_URL: webUrl.optional(),
  /**
   * Bearer token for /metrics. Without it, /metrics answers only requests from this machine. Set it if a proxy on this
   * machine adds no header, because its requests look like those from this machine.
   */
  METRICS_TOKEN: z
    .string()
    .min(16)
    .regex(/^[\x21-\x7e]*$/, "must have only letters, digits and signs of ASCII: a header cannot carry others")
    .optional(),
  /** The most invitations that an organisation sends by e-mail in an hour; 0 is no limit. */
  INVITATIONS_PER_HOUR: count(100),
  /**
   * The SMTP server for e-mail, smtp(s)://user:password@host:port, and the sender. Set both or none; without them no
   * e-mail is sent. Without user and password the service does not sign in.
   */
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: "must be smtp://user:password@host:port, or smtps://" })
    .refine(hasReadableCredentials, "has a user or password that cannot be decoded; write % as %25 there")
    .optional(),
  /** A PEM file with the certificate authorities of the SMTP server instead of Node's own, for a private one. */
  SMTP_CA: z.string().optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      "must be an address such as Bonafide <bonafide@example.edu>",
    )
    .optional(),
  /**
   * Apple's push service, which tells phones that a pass in Apple Wallet changed, and a file with certificate
   * authorities (PEM) instead of Node's own. Only tests have others.
   */
  APPLE_PUSH_URL: z
    .url({ protocol: /^https$/ })
    .default("https://api.push.apple.com")
    .transform((v) => v.replace(/\/+$/, "")),
  APPLE_PUSH_CA: z.string().optional(),
  /**
   * Google's token endpoint, its Wallet API and the keys with which it signs callbacks, and a file with certificate
   * authorities (PEM) instead of Node's own. Only tests have others.
   */
  GOOGLE_TOKEN_URL: webUrl.default("https://oauth2.googleapis.com/token"),
  GOOGLE_WALLET_URL: webUrl.default("https://walletobjects.googleapis.com/walletobjects/v1"),
  GOOGLE_WALLET_KEYS_URL: webUrl.default("https://pay.google.com/gp/m/issuer/keys"),
  GOOGLE_CA: z.string().optional(),
  /**
   * Single sign-on with OpenID Connect: the issuer's URL, and the client that is registered there with the redirect URI
   * PUBLIC_URL/api/sso/callback. Set all three or none. OIDC_NAME is the text of the button.
   */
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().min(1).max(40).default("single sign-on"),
  /**
   * At least a week, so that no event and no attempt of a delivery is removed during its first schedule of retries
   * (server/webhooks/deliveries/schedule.ts).
   */
  RETENTION_EVENTS_DAYS: retentionDays(7),
  RETENTION_ATTEMPTS_DAYS: retentionDays(7),
  /** For security events, which hold network addresses of people. */
  RETENTION_SECURITY_DAYS: retentionDays(1),
});

export type Env = z.infer<typeof schema> & { HOST: string; DRAIN_SECONDS: number };

export class EnvError extends Error {
  constructor(readonly problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((p) => `  - ${p}`).join("\n")}`);
  }
}

/** Parses the configuration. @throws EnvError that lists everything that is wrong, not only the first problem */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, v]) => v !== undefined && v !== ""));
  const parsed = schema.safeParse(present, { error: wordsFor });
  const problems = parsed.success ? [] : parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`);
  const inngest = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY", "INNGEST_BASE_URL"].filter((k) => present[k]);
  if (inngest.length > 0 && inngest.length < 3)
    problems.push(
      `INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY and INNGEST_BASE_URL go together; set: ${inngest.join(", ")}`,
    );
  const oidc = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"].filter((k) => present[k]);
  if (oidc.length > 0 && oidc.length < 3)
    problems.push(`OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together; set: ${oidc.join(", ")}`);
  const s3 = ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"].filter((k) => present[k]);
  if (s3.length > 0 && s3.length < 3)
    problems.push(`S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together; set: ${s3.join(", ")}`);
  // The name of a bucket cannot come before an address: the requests would have no bucket.
  const s3Host = URL.parse(present["S3_ENDPOINT"] ?? "")?.hostname.replace(/^\[|\]$/g, "") ?? "";
  if (s3.length > 0 && isIP(s3Host) !== 0 && parsed.success && !parsed.data.S3_PATH_STYLE)
    problems.push("S3_ENDPOINT: is an IP address, so set S3_PATH_STYLE=1, or give the store a host name");
  if (!present["SMTP_URL"] !== !present["MAIL_FROM"])
    problems.push("SMTP_URL and MAIL_FROM go together; only one of them is set");
  for (const name of ["SMTP_CA", "APPLE_PUSH_CA", "GOOGLE_CA"]) problems.push(...caProblems(name, present[name]));
  if (problems.length > 0 || !parsed.success) throw new EnvError(problems);
  const isBehindProxy = parsed.data.PUBLIC_URL.startsWith("https://");
  const { HOST = isBehindProxy ? "0.0.0.0" : "127.0.0.1", DRAIN_SECONDS = isBehindProxy ? 5 : 0 } = parsed.data;
  return { ...parsed.data, HOST, DRAIN_SECONDS };
}

/**
 * What is wrong with a file of certificate authorities. One that cannot be read would only show with the first
 * connection, and Node ignores certificates that are not whole.
 */
function caProblems(name: string, path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    const certificates = readFileSync(path, "utf8").match(pemCertificate) ?? [];
    if (certificates.length === 0) return [`${name}: the file ${path} holds no certificate in PEM`];
    return certificates.every(isCertificate) ? [] : [`${name}: the file ${path} holds a certificate that is damaged`];
  } catch (error) {
    return [`${name}: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`];
  }
}

const pemCertificate = /-----BEGIN CERTIFICATE-----.*?(?:-----END CERTIFICATE-----|$)/gs;

const isCertificate = (pem: string) => succeeds(() => new X509Certificate(pem));

/** False if a % in the user or password of a URL does not begin an encoded character: decoding them would throw. */
function hasReadableCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: "", password: "" };
  return succeeds(() => decodeURIComponent(`${username}${password}`));
}

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

let current: Env | undefined;

/** The configuration, parsed at the first call, so that a build, which has no database, can import this module. */
export function env(): Env {
  return (current ??= adopt(parseEnv(process.env)));
}

/** Sets NEXTAUTH_URL, because next-auth reads its own address only from the environment. */
function adopt(parsed: Env): Env {
  process.env["NEXTAUTH_URL"] = `${parsed.PUBLIC_URL}/api/auth`;
  return parsed;
}
