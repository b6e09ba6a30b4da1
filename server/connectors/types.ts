import { z } from "zod";
import { httpSettings } from "./http/settings";
import { sftpSettings } from "./sftp/settings";

const csvSettings = z.strictObject({
  encoding: z.enum(["auto", "utf-8", "utf-16le", "utf-16be", "windows-1252"]).default("auto").meta({
    description:
      "auto reads UTF-8, and UTF-16 if there is a byte order mark. Windows-1252 cannot be detected, so it must be chosen.",
  }),
  delimiter: z
    .enum(["auto", ",", ";", "\t"])
    .default("auto")
    .meta({ description: "auto chooses the separator that occurs most often in the first line." }),
});

/** The directories for which the console shows instructions to set up SCIM. */
export const scimProviders = ["entra", "okta", "google", "onelogin", "jumpcloud", "other"] as const;

const scimSettings = z.strictObject({
  provider: z.enum(scimProviders).default("other").meta({
    description: "The directory that pushes people. It only decides which instructions the console shows.",
  }),
  replaceOnAdd: z.array(z.string().trim().min(1).max(300)).max(50).default([]).meta({
    description:
      "Lists of a user, as paths of SCIM such as roles, whose values an add of a PATCH replaces. For a directory that adds what is new and never removes what is gone, as Entra does with attributes of your own.",
  }),
});

/** The settings of a SCIM connection. */
export type ScimSettings = z.output<typeof scimSettings>;

/**
 * The types of connectors, each with the schema of its settings. A new type needs an entry here, a new value in the
 * database's check constraint, and code that brings its data; files are brought by queueing a run, as in upload.ts and
 * sync.ts.
 */
export const connectorTypes = {
  csv: { settings: csvSettings },
  http: { settings: httpSettings },
  scim: { settings: scimSettings },
  sftp: { settings: sftpSettings },
} as const;

/** Whether the connector fetches its files from a source, by schedule or on request. */
export const fetches = ({ type, settings }: { type: ConnectorType; settings: Record<string, unknown> }): boolean =>
  type === "http" || (type === "sftp" && settings["direction"] === "fetch");

export type ConnectorType = keyof typeof connectorTypes;
export const connectorTypeNames = Object.keys(connectorTypes) as [ConnectorType, ...ConnectorType[]];
export type CsvSettings = z.output<typeof csvSettings>;
