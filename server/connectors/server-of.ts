/** The server that the settings of a connector name, to tell whether it is another one; null where they name none. */
export function serverOf(settings: Record<string, unknown>): string | null {
  const { url, host, port = 22 } = settings;
  if (typeof url === "string") return URL.parse(url)?.origin ?? null;
  return typeof host === "string" ? `sftp://${host.toLowerCase()}:${Number(port)}` : null;
}
