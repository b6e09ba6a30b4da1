import { env } from "@/server/core/env";

/** The public address of this service's SFTP server; null if it has none. */
export function sftpAddress(): { host: string; port: number } | null {
  const { SFTP_PORT, SFTP_PUBLIC_ADDRESS, PUBLIC_URL } = env();
  if (SFTP_PORT === undefined) return null;
  const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(SFTP_PUBLIC_ADDRESS ?? "") ?? [];
  return { host: host ?? new URL(PUBLIC_URL).hostname, port: Number(port ?? SFTP_PORT) };
}
