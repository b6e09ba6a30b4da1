import type { Socket } from "node:net";
import type { Client as SshClient, ConnectConfig } from "ssh2";
import { OutboundFailure, outboundConnect } from "@/server/outbound/request";
import { PullError } from "../http/pull-error";
import { hostKeyOf, hostKeyTypes, signaturesOf, type HostKey } from "./host-key";
import { Remote } from "./remote";
import type { SftpFetchSettings } from "./settings";
import { Client } from "./ssh2";

const signInMs = 20_000;

export interface SftpAccess {
  settings: SftpFetchSettings;
  secret: string | null;
  signal: AbortSignal;
}

/** The error if the server's key is not the approved one, or no key was approved yet. */
export class HostKeyError extends PullError {
  constructor(
    code: "host_key_unknown" | "host_key_changed",
    message: string,
    /** The key that the server presented. */
    readonly hostKey: HostKey | null,
  ) {
    super(code, message);
  }
}

/**
 * Signs in to a server, runs `work` and disconnects. The user name and the secret are sent only to a server with the
 * approved host key.
 * @throws PullError, HostKeyError, or the signal's reason
 */
export async function withSftp<T>(access: SftpAccess, work: (remote: Remote) => Promise<T>): Promise<T> {
  const { settings, signal } = access;
  const socket = await outboundConnect({ host: settings.host, port: settings.port }, signal).catch((error: unknown) => {
    if (!(error instanceof OutboundFailure)) throw error;
    throw new PullError("unreachable", `${error.message} Nobody was changed.`);
  });
  const client = new Client();
  let remote: Remote | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const end = (error: unknown) => {
        remote?.end(error);
        reject(error);
      };
      signal.addEventListener("abort", () => end(signal.reason), { once: true });
      if (signal.aborted) return end(signal.reason);
      const shown: { key?: HostKey | null } = {};
      client.on("error", (error) => end(explain(error, settings, shown.key)));
      client.on("close", () => end(cutOff()));
      client.on("keyboard-interactive", (_name, _text, _language, prompts, answer) =>
        answer(prompts.length === 1 && access.secret !== null ? [access.secret] : []),
      );
      client.on("ready", () =>
        client.sftp((error, sftp) => {
          if (error)
            return end(new PullError("no_sftp", "The server offers no SFTP to this user. Nobody was changed."));
          remote = new Remote(sftp);
          work(remote).then(resolve, end);
        }),
      );
      connect(client, socket, access, (key) => (shown.key = key));
    });
  } finally {
    client.destroy();
    socket.destroy();
  }
}

function connect(
  client: SshClient,
  socket: Socket,
  { settings, secret }: SftpAccess,
  show: (key: HostKey | null) => void,
): void {
  const { username, hostKey, auth } = settings;
  const types = hostKey ? [hostKey.type] : hostKeyTypes;
  const credentials: Pick<ConnectConfig, "password" | "privateKey" | "tryKeyboard"> =
    auth === "key" ? { privateKey: secret ?? "" } : { password: secret ?? "", tryKeyboard: true };
  client.connect({
    sock: socket,
    username,
    ...credentials,
    readyTimeout: signInMs,
    keepaliveInterval: 15_000,
    algorithms: { serverHostKey: types.flatMap((type) => [...signaturesOf(type)]) },
    hostVerifier: (blob: Buffer) => {
      const key = hostKeyOf(blob);
      show(key);
      return hostKey !== null && key?.type === hostKey.type && key.fingerprint === hostKey.fingerprint;
    },
  });
}

const cutOff = () => new PullError("cut_off", "The connection broke. Nobody was changed.");

function explain(
  error: Error & { level?: string },
  { host, hostKey }: SftpFetchSettings,
  shown: HostKey | null | undefined,
): PullError {
  if (!hostKey && shown)
    return new HostKeyError(
      "host_key_unknown",
      `The server's key was not approved yet. Ask the operator of ${host} for the fingerprint, and compare it with this one: ${shown.fingerprint} (${shown.type}).`,
      shown,
    );
  const isOther = shown && hostKey && (shown.type !== hostKey.type || shown.fingerprint !== hostKey.fingerprint);
  if (isOther || (hostKey && /no matching host key/i.test(error.message)))
    return new HostKeyError(
      "host_key_changed",
      `The server ${host} has another key than the one that was approved. Somebody may have put another server in its place, so neither the user name nor the secret was sent. Ask its operator whether the key was changed; if so, test the connection and approve the new fingerprint${shown ? `: ${shown.fingerprint} (${shown.type})` : ""}. Nobody was changed.`,
      shown ?? null,
    );
  if (error.level === "client-authentication")
    return new PullError(
      "unauthorized",
      "The server refused the user name with this password or key. Enter them again, and check that the user may sign in by SFTP.",
    );
  if (error.level === "client-timeout")
    return new PullError("timeout", "The server did not answer in time. Nobody was changed.");
  if (error.level === "client-socket") return cutOff();
  if (/parse privateKey|private key/i.test(error.message))
    return new PullError("unauthorized", "The secret is not a private key. Enter it again.");
  if (error.level === "handshake" || error.level === "protocol")
    return new PullError(
      "not_ssh",
      "No SSH connection could be negotiated with the server. Check that the port is that of its SFTP server.",
    );
  return new PullError("unreachable", "The SFTP connection failed. Nobody was changed.");
}
