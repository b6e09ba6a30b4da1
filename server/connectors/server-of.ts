/** The origin or host and port in a connector's settings, to detect a change of server; null if the settings name none. */
export function serverOf(settings: Record<string, unknown>): string | null {
  const { url, host, port = 22 } = settings;
  if (typeof url === "string") return URL.parse(url)?.origin ?? null;
  return typeof host === "string" ? `sftp://${host.toLowerCase()}:${Number(port)}` : null;
}
