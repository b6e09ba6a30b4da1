import { z } from "zod";
import { httpSettings } from "./http/settings";
import { sftpSettings } from "./sftp/settings";

const csvSettings = z.strictObject({
  encoding: z.enum(["auto", "utf-8", "utf-16le", "utf-16be", "windows-1252"]).default("auto").meta({
    description:
      "auto takes UTF-8, and UTF-16 where a byte order mark says so. Windows-1252 cannot be told from other encodings, so name it.",
  }),
  delimiter: z
    .enum(["auto", ",", ";", "\t"])
    .default("auto")
    .meta({ description: "auto takes what stands most often in the first line." }),
});

/** The directories for which the console knows how SCIM is set up. */
export const scimProviders = ["entra", "okta", "google", "onelogin", "jumpcloud", "other"] as const;

const scimSettings = z.strictObject({
  provider: z.enum(scimProviders).default("other").meta({
    description: "Which directory pushes. It changes the instructions of the console, and nothing else.",
  }),
  replaceOnAdd: z.array(z.string().trim().min(1).max(300)).max(50).default([]).meta({
    description:
      "Lists of a user, as paths of SCIM such as roles, whose values an add of a PATCH replaces. For a directory that adds what is new and never removes what is gone, as Entra does with attributes of your own.",
  }),
});

/** The settings of a SCIM connection. */
export type ScimSettings = z.output<typeof scimSettings>;

/**
 * The types of connectors that work, each with the schema of its settings. A new type adds its row here, the check of
 * the database, and what brings its data: for files a way to queue a run, as upload.ts and sync.ts do.
 */
export const connectorTypes = {
  csv: { settings: csvSettings },
  http: { settings: httpSettings },
  scim: { settings: scimSettings },
  sftp: { settings: sftpSettings },
} as const;

/** Whether a run asks a source for the file, by schedule or on request. */
export const fetches = ({ type, settings }: { type: ConnectorType; settings: Record<string, unknown> }): boolean =>
  type === "http" || (type === "sftp" && settings["direction"] === "fetch");

export type ConnectorType = keyof typeof connectorTypes;
export const connectorTypeNames = Object.keys(connectorTypes) as [ConnectorType, ...ConnectorType[]];
export type CsvSettings = z.output<typeof csvSettings>;
