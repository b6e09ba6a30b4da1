import type { RouterInputs } from "@/server/trpc/root";
import type { Connector } from "../words";

/** The settings of a connector that fetches by SFTP, in the API. */
export type FetchSettings = NonNullable<RouterInputs["connectors"]["test"]["sftp"]>;
export type HostKey = NonNullable<FetchSettings["hostKey"]>;

/** The SFTP settings in the state of the form: the server to fetch from, or the public keys of a sender. */
export interface SftpDraft {
  host: string;
  port: string;
  username: string;
  auth: "password" | "key";
  secret: string;
  path: string;
  hostKey: HostKey | null;
  cron: string;
  /** Public keys, one per line. */
  publicKeys: string;
}

export const emptySftp: SftpDraft = {
  host: "",
  port: "22",
  username: "",
  auth: "password",
  secret: "",
  path: "",
  hostKey: null,
  cron: "",
  publicKeys: "",
};

export function sftpDraftOf({ settings, schedule }: Pick<Connector, "settings" | "schedule">): SftpDraft {
  const fetch = settings as unknown as Partial<FetchSettings>;
  return {
    host: fetch.host ?? "",
    port: String(fetch.port ?? 22),
    username: fetch.username ?? "",
    auth: fetch.auth ?? "password",
    secret: "",
    path: fetch.path ?? "",
    hostKey: fetch.hostKey ?? null,
    cron: schedule?.cron ?? "",
    publicKeys: ((settings["publicKeys"] ?? []) as string[]).join("\n"),
  };
}

/** Converts the form to settings. Keeps stored settings for which the form has no field. */
export const fetchSettingsOf = (
  { host, port, username, auth, path, hostKey }: SftpDraft,
  before: Record<string, unknown> = {},
): FetchSettings => ({
  ...before,
  direction: "fetch",
  host: host.trim(),
  port: Number(port),
  username: username.trim(),
  auth,
  path: path.trim(),
  hostKey,
});

export const receiveSettingsOf = ({ publicKeys }: SftpDraft, before: Record<string, unknown> = {}) => ({
  ...before,
  direction: "receive",
  publicKeys: publicKeys
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean),
});
