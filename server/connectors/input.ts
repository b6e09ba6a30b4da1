import { z } from "zod";
import { invalidInput, line, parseInput } from "@/server/core/input";
import { scheduleInput } from "@/server/core/schedule";
import { mapping, type Mapping } from "./mapping";
import { requireScimLists, requireScimMapping } from "./scim-mapping";
import type { HttpSettings } from "./http/settings";
import { pgpKeyInput } from "./pgp/key";
import { serverOf } from "./server-of";
import { privateKeyProblem, type SftpSettings } from "./sftp/settings";
import { connectorTypeNames, connectorTypes, fetches, type ConnectorType, type ScimSettings } from "./types";

/**
 * How many people a connector may deactivate within 24 hours without approval: the greater of the number and the
 * percentage (contract section 11).
 */
export const limits = z
  .strictObject({
    deactivations: z.int().min(0).max(1_000_000).default(10),
    deactivationPercent: z
      .int()
      .min(0)
      .max(100)
      .default(10)
      .meta({ description: "As a percentage of the connector's active people." }),
  })
  .meta({ id: "ConnectorLimits" });

type Limits = z.output<typeof limits>;

/** The limits of a connector unless others are sent. */
export const defaultLimits: Limits = { deactivations: 10, deactivationPercent: 10 };

/** Whether `to` allows more deactivations than `from`, by number or by percentage. */
export const raises = (from: Limits, to: Limits): boolean =>
  to.deactivations > from.deactivations || to.deactivationPercent > from.deactivationPercent;

/** The fields of a connector that can be set at creation and changed later. */
export const connectorFields = {
  name: line(100).min(1, "must not be empty"),
  mapping,
  settings: z.record(z.string(), z.unknown()).meta({
    description:
      "What the type needs. csv: encoding (auto, utf-8, utf-16le, utf-16be, windows-1252) and delimiter. http: url, auth, format, records, pagination, total, since. sftp: direction fetch with host, port, username, auth (password, key), path, hostKey; or direction receive with publicKeys; both with encoding and delimiter.",
  }),
  mode: z.enum(["full", "delta"]).meta({
    description:
      "full: each file lists everybody. delta: a file lists only changed people, so nobody counts as missing.",
  }),
  missing: z.enum(["keep", "deactivate"]).meta({
    description: "What happens to people who are missing from a full file and whom no other source provides.",
  }),
  adopt: z.enum(["externalId", "email", "never"]).meta({
    description:
      "Whether a row may take over somebody that another source made: under the same externalId; or, with email, under the same externalId or else e-mail address. With never, a row with the externalId of somebody else's is rejected.",
  }),
  limits,
  priority: z.int().min(1).max(1000).meta({
    description: "If two connectors map the same field of a person, the connector with the lower number writes it.",
  }),
};

/** Further fields for connectors that fetch. The API returns them in another form. */
export const fetchFields = {
  schedule: scheduleInput
    .nullable()
    .meta({ description: "For http and for sftp that fetches: when the source is fetched. null: only on request." }),
  secret: z.string().min(1).max(16_000).nullable().meta({
    description:
      "For http: the token, the password or the header's value. For sftp that fetches: the password or the private key. Never returned; null removes it.",
  }),
  pgpKey: pgpKeyInput,
};

/** @throws DomainError invalid_request with pointers below /settings */
export function parseSettings(type: ConnectorType, settings: unknown): Record<string, unknown> {
  return parseInput(z.object({ settings: connectorTypes[type].settings }), { settings }).settings;
}

export const connectorType = z.enum(connectorTypeNames);

interface Whole {
  adopt: string;
  mapping: Mapping;
  mode: string;
  missing: string;
  settings: Record<string, unknown>;
  schedule: unknown;
  /** Whether the connector has a secret after the change. */
  hasSecret: boolean;
}

const refused = (pointer: string, message: string) => invalidInput([{ pointer, code: "invalid_value", message }]);

/**
 * Refuses a mapping of status that never results in active or inactive.
 * @throws DomainError invalid_request
 */
function requireStatuses({ status }: Mapping): void {
  if (!status || typeof status === "string") return;
  const given =
    status.transform === "constant"
      ? { pointer: "/mapping/status/value", values: [status.value] }
      : "values" in status && status.values
        ? { pointer: "/mapping/status/values", values: Object.values(status.values) }
        : null;
  const wrong =
    status.transform === "date" || ("decimal" in status && status.decimal)
      ? "/mapping/status"
      : given?.values.some((value) => !["active", "inactive", "", null].includes(value as string))
        ? given.pointer
        : null;
  if (wrong)
    throw invalidInput([
      {
        pointer: wrong,
        code: "invalid_value",
        message: "must result in active or inactive, or in nothing to leave the status as it is",
      },
    ]);
}

/**
 * Checks that the other fields of a connector fit its type.
 * @throws DomainError invalid_request
 */
export function requireFitting(type: ConnectorType, whole: Whole): void {
  requireStatuses(whole.mapping);
  if (type === "scim" && whole.mapping.groups)
    throw refused(
      "/mapping/groups",
      "must be left out for a connector of type scim, because a directory sends its groups",
    );
  if (type === "scim") requireScim(whole);
  if (whole.adopt === "email" && !whole.mapping.email)
    throw refused("/mapping/email", "is required if adopt is email, because people are then found by their address");
  if (type === "http") requireHttp(whole);
  if (type === "sftp" && fetches({ type, settings: whole.settings }) && !whole.hasSecret)
    throw refused("/secret", "must be sent: the password or the private key with which we sign in to the server");
  if (fetches({ type, settings: whole.settings })) return;
  const wrong = whole.schedule ? "schedule" : whole.hasSecret ? "secret" : null;
  if (wrong)
    throw refused(
      `/${wrong}`,
      `must be left out for a connector of type ${type}${type === "sftp" ? " that receives" : ""}, which fetches nothing`,
    );
}

function requireScim({ mapping, mode, missing, settings }: Whole): void {
  requireScimMapping(mapping);
  requireScimLists((settings as ScimSettings).replaceOnAdd);
  const wrong = mode !== "delta" ? "mode" : missing !== "keep" ? "missing" : null;
  if (wrong)
    throw refused(
      `/${wrong}`,
      `must be ${wrong === "mode" ? "delta" : "keep"} for a connector of type scim, because a directory itself reports who left`,
    );
}

function requireHttp({ settings, mode, hasSecret }: Whole): void {
  const { auth, since } = settings as HttpSettings;
  if (since && mode !== "delta")
    throw refused(
      "/settings/since",
      "must be left out unless mode is delta, because a full list cannot be requested in parts",
    );
  if ((auth.type === "none") === hasSecret)
    throw refused(
      "/secret",
      hasSecret ? "must be left out if settings.auth.type is none" : `must be sent for settings.auth.type ${auth.type}`,
    );
}

/**
 * Checks the format of an entered secret: a private key, a password or a header value, as the settings say.
 * @throws DomainError invalid_request
 */
export function requireSecret(type: ConnectorType, settings: Record<string, unknown>, secret: string): void {
  const isKey = type === "sftp" && (settings as SftpSettings & { auth?: string }).auth === "key";
  // A password may be in any script; header values are ASCII.
  const text = type === "sftp" ? /^[^\p{Cc}]*$/u : /^[\t\x20-\x7e]*$/;
  const problem = isKey
    ? privateKeyProblem(secret)
    : text.test(secret)
      ? null
      : type === "sftp"
        ? "must have no control characters"
        : "must be printable ASCII";
  if (problem) throw refused("/secret", problem);
}

/** Whether new settings let somebody send files who could not before. Such a change requires connectors:run too. */
export function bringsFiles(settings: Record<string, unknown>, before: Record<string, unknown> = {}): boolean {
  const keys = (of: Record<string, unknown>) => (of["publicKeys"] ?? []) as string[];
  return keys(settings).some((key) => !keys(before).includes(key));
}

/**
 * Refuses to turn a connector that fetches into one that receives.
 * @throws DomainError invalid_request
 */
export function requireSameDirection(before: Record<string, unknown>, after: Record<string, unknown>): void {
  if (before["direction"] === after["direction"]) return;
  throw refused("/settings/direction", "can't be changed. Create another connector for the other direction");
}

/**
 * Refuses a change that would send the stored secret to another server than the one for which it was entered.
 * @throws DomainError invalid_request
 */
export function requireSameServer(before: Record<string, unknown>, after: Record<string, unknown>): void {
  if (serverOf(before) === serverOf(after)) return;
  const where = "url" in after ? "settings.url" : "settings.host";
  throw refused(
    "/secret",
    `must be sent again, because ${where} names another server, and the stored secret is never sent to another server`,
  );
}
