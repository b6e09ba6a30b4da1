import { z } from "zod";
import { invalidInput, line, parseInput } from "@/server/core/input";
import { scheduleInput } from "@/server/core/schedule";
import { mapping, type Mapping } from "./mapping";
import { requireScimLists, requireScimMapping } from "./scim-mapping";
import type { HttpSettings } from "./http/settings";
import { serverOf } from "./server-of";
import { privateKeyProblem, type SftpSettings } from "./sftp/settings";
import { connectorTypeNames, connectorTypes, fetches, type ConnectorType, type ScimSettings } from "./types";

/**
 * How many people a connector may deactivate within 24 hours without a person: the greater of the two (contract section
 * 11).
 */
export const limits = z
  .strictObject({
    deactivations: z.int().min(0).max(1_000_000).default(10),
    deactivationPercent: z.int().min(0).max(100).default(10).meta({ description: "Of the connector's active people." }),
  })
  .meta({ id: "ConnectorLimits" });

type Limits = z.output<typeof limits>;

/** The limits of a connector whose maker named none. */
export const usualLimits: Limits = { deactivations: 10, deactivationPercent: 10 };

/** Whether limits let more deactivations pass than others, by number or by share. */
export const raises = (from: Limits, to: Limits): boolean =>
  to.deactivations > from.deactivations || to.deactivationPercent > from.deactivationPercent;

/** What can be changed of a connector. */
export const connectorFields = {
  name: line(100).min(1, "must not be empty"),
  mapping,
  settings: z.record(z.string(), z.unknown()).meta({
    description:
      "What the type needs. csv: encoding (auto, utf-8, utf-16le, utf-16be, windows-1252) and delimiter. http: url, auth, format, records, pagination, total, since. sftp: direction fetch with host, port, username, auth (password, key), path, hostKey; or direction receive with publicKeys; both with encoding and delimiter.",
  }),
  mode: z.enum(["full", "delta"]).meta({
    description: "full: a file lists everybody. delta: it lists those that changed, and nobody is missing from it.",
  }),
  missing: z.enum(["keep", "deactivate"]).meta({
    description: "What becomes of people that a full file has no more, and that no other source provides.",
  }),
  adopt: z.enum(["externalId", "email", "never"]).meta({
    description:
      "Whether a row may take over somebody that another source made: under the same externalId; or, for type scim, under the same externalId or else e-mail address. With never, a row with the externalId of somebody else's is rejected.",
  }),
  limits,
  priority: z.int().min(1).max(1000).meta({
    description: "Where two connectors map one field of a person, the one with the lower number writes it.",
  }),
};

/** What can be sent of a connector that fetches, and is answered in another form. */
export const fetchFields = {
  schedule: scheduleInput
    .nullable()
    .meta({ description: "For http, and sftp that fetches: when the source is asked. null: only on request." }),
  secret: z.string().min(1).max(16_000).nullable().meta({
    description:
      "For http: the token, the password or the header's value. For sftp that fetches: the password or the private key. Never answered; null removes it.",
  }),
};

/** @throws DomainError invalid_request with pointers below /settings. */
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
  /** Whether the connector then has a secret. */
  hasSecret: boolean;
}

const refused = (pointer: string, message: string) => invalidInput([{ pointer, code: "invalid_value", message }]);

/**
 * Refuses a mapping of status that can give nothing that is a status.
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
        message: "must give active or inactive, or nothing to leave the status",
      },
    ]);
}

/**
 * Checks what a type asks of the rest of a connector.
 * @throws DomainError invalid_request
 */
export function requireFitting(type: ConnectorType, whole: Whole): void {
  requireStatuses(whole.mapping);
  if (type === "scim") requireScim(whole);
  else if (whole.adopt === "email")
    throw refused(
      "/adopt",
      "must be externalId or never: only a connector of type scim finds people by their e-mail address",
    );
  if (type === "http") requireHttp(whole);
  if (type === "sftp" && fetches({ type, settings: whole.settings }) && !whole.hasSecret)
    throw refused("/secret", "must be sent: the password or the private key with which the server is asked");
  if (fetches({ type, settings: whole.settings })) return;
  const wrong = whole.schedule ? "schedule" : whole.hasSecret ? "secret" : null;
  if (wrong)
    throw refused(
      `/${wrong}`,
      `must be left out for a connector of type ${type}${type === "sftp" ? " that receives" : ""}, which fetches nothing`,
    );
}

function requireScim({ adopt, mapping, mode, missing, settings }: Whole): void {
  requireScimMapping(mapping);
  requireScimLists((settings as ScimSettings).replaceOnAdd);
  if (adopt === "email" && !mapping.email)
    throw refused("/mapping/email", "is required where adopt is email: people are found by it");
  const wrong = mode !== "delta" ? "mode" : missing !== "keep" ? "missing" : null;
  if (wrong)
    throw refused(
      `/${wrong}`,
      `must be ${wrong === "mode" ? "delta" : "keep"} for a connector of type scim: a directory says itself who left`,
    );
}

function requireHttp({ settings, mode, hasSecret }: Whole): void {
  const { auth, since } = settings as HttpSettings;
  if (since && mode !== "delta")
    throw refused("/settings/since", "must be left out unless mode is delta: a full list cannot be asked for in part");
  if ((auth.type === "none") === hasSecret)
    throw refused(
      "/secret",
      hasSecret
        ? "must be left out where settings.auth.type is none"
        : `must be sent for settings.auth.type ${auth.type}`,
    );
}

/**
 * Checks a secret that is entered, as what the settings say that it is.
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

/** Whether settings let somebody bring files whom those before did not: that takes connectors:run too. */
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
  throw refused("/settings/direction", "must stay as it is. Make another connector for the other direction");
}

/**
 * Refuses a change that would send a stored secret to another server than the one that it was entered for.
 * @throws DomainError invalid_request
 */
export function requireSameServer(before: Record<string, unknown>, after: Record<string, unknown>): void {
  if (serverOf(before) === serverOf(after)) return;
  const where = "url" in after ? "settings.url" : "settings.host";
  throw refused("/secret", `must be sent again with another server in ${where}: the stored one is not given to it`);
}
